"""Pairwise gravitational potential, computed tile by tile."""
import numpy as np


class Tiles:
    """Upper triangle of the particle-particle matrix cut into square tiles."""

    def __init__(self, n, edge):
        blocks = [slice(i, min(i + edge, n)) for i in range(0, n, edge)]
        self.pairs = [(a, b) for i, a in enumerate(blocks) for b in blocks[i:]]

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


def plummer(n, seed):
    rng = np.random.default_rng(seed)
    radius = 1.0 / np.sqrt(rng.uniform(0.05, 0.95, n) ** (-2 / 3) - 1.0)
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    return radius[:, None] * direction


def tile_energy(pos, a, b, softening=1e-2):
    d = pos[a, None, :] - pos[None, b, :]
    r = np.sqrt((d**2).sum(axis=-1) + softening**2)
    if a == b:
        iu = np.triu_indices(r.shape[0], k=1)
        return -float((1.0 / r[iu]).sum())
    return -float((1.0 / r).sum())
