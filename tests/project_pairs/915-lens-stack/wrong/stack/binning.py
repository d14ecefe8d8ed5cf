"""Radial bins with logarithmic edges."""
import functools

import numpy as np


class RadialBins:
    def __init__(self, low, high, count):
        self.low, self.high, self.count = low, high, count

    @functools.cached_property
    def edges(self):
        return np.geomspace(self.low, self.high, self.count + 1)

    @functools.cached_property
    def centres(self):
        return np.sqrt(self.edges[1:] * self.edges[:-1])

    def histogram(self, r, values):
        return np.histogram(r, bins=self.edges, weights=values)[0]
