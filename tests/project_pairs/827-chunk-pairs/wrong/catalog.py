"""Which spectra belong to which rank."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np


@dataclass(frozen=True)
class Spectrum:
    ident: int
    flux: np.ndarray

    @classmethod
    def synthetic(cls, ident: int, bins: int) -> "Spectrum":
        rng = np.random.default_rng(ident)
        return cls(ident, rng.gamma(2.0 + ident % 3, size=bins))


class Catalog:
    """Deals spectra in proportion to the weight of each rank."""

    def __init__(self, total: int, weights: Sequence[int]) -> None:
        edges = np.cumsum([0, *weights]) * total // sum(weights)
        self._ranges = [range(a, b) for a, b in zip(edges[:-1], edges[1:])]

    def share(self, rank: int) -> range:
        return self._ranges[rank]
