from dataclasses import dataclass

import numpy as np


@dataclass
class Structure:
    name: str
    positions: np.ndarray


def make_structures(n, seed):
    """Distorted pieces of a cubic lattice."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(3)] * 3, indexing="ij"), -1).reshape(-1, 3)
    out = []
    for i in range(n):
        atoms = int(rng.integers(5, 13))
        start = grid[np.argsort(((grid - rng.uniform(0.5, 1.5, 3)) ** 2).sum(1))[:atoms]]
        out.append(Structure(f"cl{i:03d}", 1.15 * start + rng.normal(scale=0.05, size=(atoms, 3))))
    return out
