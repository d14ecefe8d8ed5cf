"""Leapfrog for the acoustic wave equation on one strip of columns."""
import numpy as np


def laplacian(u):
    lap = u[:, :-2] + u[:, 2:] - 4 * u[:, 1:-1]
    lap[1:] += u[:-1, 1:-1]
    lap[:-1] += u[1:, 1:-1]
    return lap


class Strip:
    def __init__(self, now, halo, c2):
        rows, cols = now.shape
        self.u = np.zeros((rows, cols + 2))
        self.u[:, 1:-1] = now
        self.before = now.copy()
        self.halo = halo
        self.c2 = c2

    @property
    def inner(self):
        return self.u[:, 1:-1]

    def step(self):
        self.halo.start(self.u)
        # interior columns need no ghost values
        new = np.empty_like(self.before)
        core = self.u[:, 1:-1]
        if core.shape[1] > 2:
            new[:, 1:-1] = self._leap(core, self.before[:, 1:-1])
        self.halo.finish(self.u)
        new[:, :1] = self._leap(self.u[:, :3], self.before[:, :1])
        new[:, -1:] = self._leap(self.u[:, -3:], self.before[:, -1:])
        self.before[...] = self.inner
        self.inner[...] = new

    def _leap(self, window, before):
        return 2 * window[:, 1:-1] - before + self.c2 * laplacian(window)


def serial(start, c2, steps):
    u = np.pad(start, ((0, 0), (1, 1)))
    before = start.copy()
    for _ in range(steps):
        new = 2 * u[:, 1:-1] - before + c2 * laplacian(u)
        before = u[:, 1:-1].copy()
        u[:, 1:-1] = new
    return u[:, 1:-1]
