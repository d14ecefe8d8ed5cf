"""Bead-spring polymer in a soft confining sphere."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Polymer:
    beads: int = 60
    bond: float = 1.0
    stiffness: float = 40.0
    sigma: float = 0.8
    epsilon: float = 1.0
    radius: float = 6.0

    def start(self):
        t = np.arange(self.beads) * 0.45
        r = 2.0 + 0.03 * t
        return np.column_stack([r * np.cos(t), r * np.sin(t), 0.12 * t - 1.5])

    def bond_energy(self, x):
        d = np.linalg.norm(np.diff(x, axis=0), axis=1)
        return 0.5 * self.stiffness * float(((d - self.bond) ** 2).sum())

    def wall_energy(self, x):
        over = np.clip(np.linalg.norm(x, axis=1) - self.radius, 0.0, None)
        return 10.0 * float((over ** 2).sum())

    def pair_energy(self, x, rows):
        total = 0.0
        for i in rows:
            d2 = ((x[i + 2:] - x[i]) ** 2).sum(axis=1)
            s = (self.sigma ** 2 / np.maximum(d2, 0.2)) ** 3
            total += 4.0 * self.epsilon * float((s * s - s).sum())
        return total
