from dataclasses import dataclass

import numpy as np


@dataclass
class System:
    pos: np.ndarray
    vel: np.ndarray
    box: float

    @property
    def n(self):
        return len(self.pos)


def make_lattice(n_side, density, temperature, seed):
    """Simple cubic start; every rank builds the same replica."""
    n = n_side ** 3
    box = (n / density) ** (1.0 / 3.0)
    grid = (np.arange(n_side) + 0.5) * box / n_side
    pos = np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), axis=-1).reshape(-1, 3)
    rng = np.random.default_rng(seed)
    vel = rng.normal(scale=np.sqrt(temperature), size=(n, 3))
    vel -= vel.mean(axis=0)
    return System(np.ascontiguousarray(pos), vel, box)
