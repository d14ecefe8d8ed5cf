"""Small flat-sky source catalogues."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Catalog:
    ra: np.ndarray
    dec: np.ndarray
    mag: np.ndarray

    def __len__(self):
        return self.ra.size

    def select(self, mask):
        return Catalog(self.ra[mask], self.dec[mask], self.mag[mask])

    def brighter_than(self, limit):
        return self.select(self.mag < limit)

    def in_strip(self, lo, hi):
        return self.select((self.dec >= lo) & (self.dec < hi))


def simulate(n, seed, dec_range=(-1.0, 1.5), jitter=0.0):
    rng = np.random.default_rng(seed)
    ra = rng.uniform(150.0, 152.0, n)
    dec = rng.uniform(*dec_range, n)
    mag = 18.0 + 5.0 * rng.random(n)
    if jitter:
        noise = np.random.default_rng(seed + 1000)
        ra = ra + noise.normal(0.0, jitter, n)
        dec = dec + noise.normal(0.0, jitter, n)
    return Catalog(ra, dec, mag)
