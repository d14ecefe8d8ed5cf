"""Mock lens and source catalogues."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Lenses:
    z: np.ndarray
    mass: np.ndarray

    def __len__(self):
        return self.z.size

    def part(self, rank, size):
        """Contiguous part of the catalogue, which is ordered in redshift."""
        cuts = np.linspace(0, len(self), size + 1).astype(int)
        sl = slice(cuts[rank], cuts[rank + 1])
        return range(*sl.indices(len(self)))


def make_lenses(n, seed):
    rng = np.random.default_rng(seed)
    z = np.sort(rng.uniform(0.1, 0.7, n))
    mass = 1.0 + 2.0 * z + 0.1 * rng.standard_normal(n)
    return Lenses(z, mass)


def sources_of(index, lenses, seed):
    """Sources behind a lens: radius, tangential shear, weight."""
    rng = np.random.default_rng([seed, index])
    n = rng.poisson(400 * np.exp(-3.0 * lenses.z[index])) + 5
    r = rng.uniform(0.1, 3.0, n)
    zs = lenses.z[index] + rng.gamma(2.0, 0.3, n)
    gamma = 0.05 * lenses.mass[index] / r + 0.02 * rng.standard_normal(n)
    weight = (1.0 - lenses.z[index] / zs) ** 2
    return r, gamma, weight
