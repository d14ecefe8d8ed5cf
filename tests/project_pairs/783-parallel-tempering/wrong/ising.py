"""Two-dimensional Ising model with checkerboard Metropolis updates."""
import numpy as np


class Ising:
    def __init__(self, size, rng):
        self.rng = rng
        self.spins = rng.choice(np.array([-1, 1], dtype=np.int8), (size, size))
        i, j = np.indices((size, size))
        self.colours = [(i + j) % 2 == c for c in (0, 1)]
        self.energy = self.total_energy()

    def _field(self):
        s = self.spins.astype(int)
        return sum(np.roll(s, d, axis) for axis in (0, 1) for d in (1, -1))

    def total_energy(self):
        return -0.5 * float((self.spins * self._field()).sum())

    def sweep(self, beta):
        for mask in self.colours:
            cost = 2 * self.spins * self._field()
            flip = mask & (self.rng.random(cost.shape) < np.exp(-beta * cost.clip(min=0)))
            self.spins[flip] *= -1
        self.energy = self.total_energy()

    def adopt(self, spins, energy):
        self.spins = spins
        self.energy = energy

    @property
    def magnetisation(self):
        return abs(float(self.spins.mean()))
