"""A set of air parcels: position, speed and water content in each row."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from domain import Slab

FIELDS = 3


@dataclass
class ParcelSet:
    rows: np.ndarray

    @classmethod
    def seeded(cls, slab: Slab, count: int) -> "ParcelSet":
        rng = np.random.default_rng(900 + slab.rank)
        low, high = slab.bounds
        rows = np.empty((count, FIELDS))
        rows[:, 0] = rng.uniform(low, high, count)
        rows[:, 1] = rng.uniform(-0.08, 0.12, count)
        rows[:, 2] = 1.0
        return cls(rows)

    def drift(self, dt: float, length: float) -> None:
        self.rows[:, 0] = np.mod(self.rows[:, 0] + dt * self.rows[:, 1], length)

    def split(self, slab: Slab) -> dict[int, np.ndarray]:
        """Remove the parcels that left the slab and return them by new owner."""
        owner = slab.owner(self.rows[:, 0])
        leaving = {
            peer: np.ascontiguousarray(self.rows[owner == peer]) for peer in slab.neighbours
        }
        self.rows = self.rows[owner == slab.rank]
        return leaving

    def extend(self, arrivals: list[np.ndarray]) -> None:
        self.rows = np.concatenate([self.rows, *arrivals])

    @property
    def water(self) -> float:
        return float(self.rows[:, 2].sum())
