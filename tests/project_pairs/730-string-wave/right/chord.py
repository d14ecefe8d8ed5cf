"""A plucked string in three time levels."""
import numpy as np


class Chord:
    def __init__(self, comm, points, courant=0.9):
        cuts = [points * r // comm.size for r in range(comm.size + 1)]
        first, last = cuts[comm.rank], cuts[comm.rank + 1]
        self.factor = courant ** 2
        x = np.arange(first - 1, last + 1) / (points - 1)
        self.now = np.where(x < 0.3, x / 0.3, (1 - x) / 0.7)
        self.now[(x <= 0) | (x >= 1)] = 0.0
        self.fixed = (x <= 0) | (x >= 1)
        self.old = self.now.copy()
        self.new = np.zeros_like(self.now)

    def leap(self):
        u = self.now
        self.new[1:-1] = (2 * u[1:-1] - self.old[1:-1]
                          + self.factor * (u[2:] - 2 * u[1:-1] + u[:-2]))
        self.new[self.fixed] = 0.0
        self._rotate()

    def _rotate(self):
        self.old[:] = self.now
        self.now[:] = self.new

    def shape(self):
        return self.now[1:-1].copy()
