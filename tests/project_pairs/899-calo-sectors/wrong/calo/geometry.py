import numpy as np


class SectorMap:
    """Sectors in phi; neighbouring sectors belong to the same rank."""

    def __init__(self, n, size):
        self.n = n
        self.size = size
        self.owner = np.arange(n) * size // n

    def sector(self, phi):
        s = ((phi + np.pi) / (2 * np.pi) * self.n).astype(int)
        return np.clip(s, 0, self.n - 1)

    def owned_by(self, rank):
        return np.flatnonzero(self.owner == rank)
