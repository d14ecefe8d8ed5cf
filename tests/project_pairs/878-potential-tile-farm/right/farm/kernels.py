from abc import ABC, abstractmethod

import numpy as np


class Kernel(ABC):
    @abstractmethod
    def evaluate(self, tile, out):
        """Write the values on ``tile`` into ``out``."""


class SoftenedCoulomb(Kernel):
    def __init__(self, charges, positions, softening=2.0):
        self.charges = charges
        self.positions = positions
        self.softening = softening

    @classmethod
    def random_cloud(cls, n, extent, seed):
        rng = np.random.default_rng(seed)
        return cls(rng.choice([-1.0, 1.0], n), rng.uniform(0, extent, (n, 2)))

    def evaluate(self, tile, out):
        y = np.arange(tile.row, tile.row + tile.edge)[:, None]
        x = np.arange(tile.col, tile.col + tile.edge)[None, :]
        out.fill(0.0)
        for q, (py, px) in zip(self.charges, self.positions):
            out += q / np.sqrt((y - py) ** 2 + (x - px) ** 2 + self.softening ** 2)
