from typing import NamedTuple

import numpy as np


class Shape(NamedTuple):
    name: str
    total: int

    def draw(self, rank, size):
        """The part of one rank; its length depends on the rank."""
        rng = np.random.default_rng([self.total, rank])
        length = self.total // (rank + 1)
        match self.name:
            case "uniform":
                return rng.random(length)
            case "ties":
                return rng.integers(0, 4, length).astype(float)
            case "lopsided":
                return rng.exponential(size=length if rank == size - 1 else 0)
            case "empty":
                return np.empty(0)


SHAPES = (Shape("uniform", 500), Shape("ties", 90), Shape("lopsided", 64),
          Shape("empty", 0), Shape("uniform", 3))
