"""Slab decomposition of a periodic interval."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Slab:
    rank: int
    size: int
    length: float = 1.0

    @cached_property
    def bounds(self) -> tuple[float, float]:
        width = self.length / self.size
        return self.rank * width, (self.rank + 1) * width

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        around = {(self.rank - 1) % self.size, (self.rank + 1) % self.size}
        return tuple(sorted(around - {self.rank}))

    def owner(self, x: np.ndarray) -> np.ndarray:
        cell = np.floor(x / self.length * self.size).astype(int)
        return np.clip(cell, 0, self.size - 1)
