import numpy as np


class Stepper:
    def __init__(self, grid, cfg, halo):
        self.cfg = cfg
        self.halo = halo
        phase = 2 * np.pi * (grid.x[:, None, None] / cfg.nx + grid.y[None, :, None] / cfg.ny
                             + grid.z[None, None, :] / cfg.nz)
        self.start = np.cos(phase)
        self.u = np.zeros(tuple(s + 2 for s in phase.shape[:2]) + (cfg.nz,))
        self.inner[...] = self.start

    @property
    def inner(self):
        return self.u[1:-1, 1:-1]

    def advance(self):
        self.halo(self.u)
        u, c = self.u, self.inner
        lap = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
               + np.roll(c, 1, axis=2) + np.roll(c, -1, axis=2) - 6.0 * c)
        self.u[1:-1, 1:-1] = c + self.cfg.diffusivity * self.cfg.dt * lap
