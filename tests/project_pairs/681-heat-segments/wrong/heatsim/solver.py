import numpy as np


class HeatSolver:
    """Row-decomposed explicit solver with fixed temperature on the border."""

    def __init__(self, world, cfg):
        self.world = world
        self.cfg = cfg
        self.counts = world.split_rows(cfg.nx)
        self.offset = sum(self.counts[:world.rank])
        self.nloc = self.counts[world.rank]
        self.u = np.zeros((self.nloc + 2, cfg.ny))
        self.time = 0.0

    @property
    def interior(self):
        return self.u[1:-1]

    def set_initial_condition(self):
        x = np.arange(self.offset, self.offset + self.nloc) / (self.cfg.nx - 1)
        y = np.linspace(0.0, 1.0, self.cfg.ny)
        self.interior[:] = np.sin(np.pi * x)[:, None] * np.sin(2 * np.pi * y) ** 2
        self.time = 0.0

    def advance(self):
        self.world.exchange_rows(self.u)
        u, c = self.u, self.cfg.alpha * self.cfg.dt / self.cfg.dx ** 2
        lap = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
               - 4.0 * u[1:-1, 1:-1])
        new = u[1:-1].copy()
        new[:, 1:-1] += c * lap
        if self.offset == 0:
            new[0] = 0.0
        if self.offset + self.nloc == self.cfg.nx:
            new[-1] = 0.0
        self.u[1:-1] = new
        self.time += self.cfg.dt

    def total_heat(self):
        return self.world.sum(float(self.interior.sum())) * self.cfg.dx ** 2

    def maximum(self):
        return self.world.max(float(self.interior.max()))
