import numpy as np


class StripTiling:
    """Equal declination strips over the footprint, one for each rank."""

    def __init__(self, lo, hi, n):
        self.edges = np.linspace(lo, hi, n + 1)

    def bounds(self, i):
        return float(self.edges[i]), float(self.edges[i + 1])

    def padded(self, i, pad):
        lo, hi = self.bounds(i)
        return lo - pad, hi + pad
