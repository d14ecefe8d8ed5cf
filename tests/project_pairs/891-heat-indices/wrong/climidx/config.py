from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class IndexConfig:
    nlat: int = 36
    nlon: int = 24
    years: int = 3
    hot_quantile: float = 0.9
    output: str = "indices.json"
    seed: int = 1979

    @classmethod
    def from_args(cls, ns):
        known = {f.name for f in fields(cls)}
        return cls(**{k: v for k, v in vars(ns).items() if k in known})

    @property
    def latitudes(self):
        step = 180.0 / self.nlat
        return -90.0 + step * (np.arange(self.nlat) + 0.5)

    def band(self, rank, size):
        """Slice of latitude rows that a rank holds."""
        edges = np.linspace(0, self.nlat, size + 1).astype(int)
        return slice(edges[rank], edges[rank + 1])
