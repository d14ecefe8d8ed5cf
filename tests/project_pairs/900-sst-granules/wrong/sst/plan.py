import numpy as np


class RowPlan:
    """Which rank reads which granules, and how many pixel rows that makes."""

    def __init__(self, granules, pixels, size):
        self.pixels = pixels
        self.parts = np.array_split(np.arange(granules), size)

    def granules_of(self, rank):
        return self.parts[rank].tolist()

    @property
    def row_counts(self):
        return np.array([len(p) * self.pixels for p in self.parts])
