from collections.abc import Sequence

import numpy as np


class Blobs(Sequence):
    """Points made on demand, so that every rank can ask for any slice."""

    def __init__(self, n, k, spread=0.35):
        self.n, self.k, self.spread = n, k, spread

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        match i:
            case slice():
                rows = [self[j] for j in range(*i.indices(self.n))]
                return np.array(rows).reshape(-1, 2)
            case int() if -self.n <= i < self.n:
                i %= self.n
                angle = 2.0 * np.pi * (i % self.k) / self.k
                rng = np.random.default_rng([self.n, i])
                return np.array([3 * np.cos(angle), 3 * np.sin(angle)]) \
                    + self.spread * rng.normal(size=2)
            case _:
                raise IndexError(i)


def my_slice(n, rank, size):
    """Blocks shrink with the rank; small sets leave the last ranks empty."""
    edges = [0]
    for r in range(size):
        edges.append(min(n, edges[-1] + -(-2 * (n - edges[-1]) // (size - r + 1))))
    edges[-1] = n
    return slice(edges[rank], edges[rank + 1])
