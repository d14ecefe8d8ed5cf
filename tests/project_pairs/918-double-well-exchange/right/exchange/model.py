"""Chain of coupled double wells."""
import numpy as np


class DoubleWellChain:
    def __init__(self, sites=12, barrier=2.0, coupling=0.5):
        self.sites = sites
        self.barrier = barrier
        self.coupling = coupling

    def energy(self, x):
        local = self.barrier * (x ** 2 - 1.0) ** 2
        bond = 0.5 * self.coupling * (x - np.roll(x, 1)) ** 2
        return float(local.sum() + bond.sum())

    def change(self, x, i, new):
        left, right = x[i - 1], x[(i + 1) % self.sites]
        d = self.barrier * ((new ** 2 - 1) ** 2 - (x[i] ** 2 - 1) ** 2)
        for other in (left, right):
            d += 0.5 * self.coupling * ((new - other) ** 2 - (x[i] - other) ** 2)
        return float(d)
