"""Electrons of one rank."""
import numpy as np


class Electrons:
    def __init__(self, count, grid, rng, beam=1.4, spread=0.05):
        self.grid = grid
        self.x = rng.uniform(0, grid.length, count)
        sign = np.where(rng.uniform(size=count) < 0.5, -1.0, 1.0)
        self.v = sign * beam + spread * rng.standard_normal(count)
        self.v += 0.02 * np.sin(2 * np.pi * self.x / grid.length)

    def push(self, dt):
        self.v -= self.grid.gather_field(self.x) * dt
        self.x = (self.x + self.v * dt) % self.grid.length

    def fast(self, limit):
        return int(np.count_nonzero(np.abs(self.v) > limit))

    def kinetic(self):
        return 0.5 * float(np.sum(self.v ** 2))
