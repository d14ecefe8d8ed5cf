"""Start structures of the clusters."""
import itertools
from dataclasses import dataclass

import numpy as np


@dataclass
class Job:
    number: int
    n_atoms: int
    positions: np.ndarray


def lattice_cut(n_atoms, rng):
    """The atoms of a cubic lattice nearest to a random centre."""
    points = np.array(list(itertools.product(range(-2, 3), repeat=3)), float)
    centre = rng.uniform(-0.3, 0.3, 3)
    order = np.argsort(((points - centre) ** 2).sum(axis=1), kind="stable")
    return 1.12 * points[order[:n_atoms]] + rng.normal(0, 0.04, (n_atoms, 3))


def make_jobs(sizes, seed=17):
    for number, n_atoms in enumerate(sizes):
        rng = np.random.default_rng([seed, number])
        yield Job(number, n_atoms, lattice_cut(n_atoms, rng))
