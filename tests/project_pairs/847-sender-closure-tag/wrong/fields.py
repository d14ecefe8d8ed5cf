"""Field descriptions and the storage that belongs to them."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np


class Kind(IntEnum):
    DENSITY = 10
    MOMENTUM = 11
    ENERGY = 12


@dataclass
class Field:
    kind: Kind
    cells: int
    data: np.ndarray = field(init=False)
    ghost: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.data = np.zeros(self.cells)
        self.ghost = np.full(1, np.nan)

    @property
    def edge(self) -> np.ndarray:
        return self.data[-1:]


class State:
    def __init__(self, rank: int, cells: int) -> None:
        self._fields = {kind: Field(kind, cells) for kind in Kind}
        for kind, item in self._fields.items():
            item.data[:] = 100.0 * kind + rank

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields.values())

    def __getitem__(self, kind: Kind) -> Field:
        return self._fields[kind]

    def __len__(self) -> int:
        return len(self._fields)
