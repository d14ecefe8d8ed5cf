import numpy as np


class WaveSolver:
    """Leapfrog in time, second order in space, fixed ends."""

    def __init__(self, line, cfg, exchange):
        self.cfg = cfg
        self.exchange = exchange
        shape = np.sin(np.pi * cfg.mode * line.index / (cfg.points + 1))
        self.shape = shape
        self.u = self.padded(shape)
        self.old = self.padded(shape * np.cos(cfg.angle))

    @staticmethod
    def padded(values):
        out = np.zeros(len(values) + 2)
        out[1:-1] = values
        return out

    def advance(self):
        self.exchange(self.u)
        u, c2 = self.u, self.cfg.courant ** 2
        new = np.zeros_like(u)
        new[1:-1] = 2.0 * u[1:-1] - self.old[1:-1] + c2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        self.old, self.u = u, new
