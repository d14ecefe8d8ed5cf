"""Tags and small message types of the tile farm."""
from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Tag(IntEnum):
    WORK = 1
    RESULT = 2
    TIMING = 3


@dataclass(frozen=True)
class Tile:
    index: int
    width: int

    def sample_points(self) -> np.ndarray:
        return self.index + np.arange(self.width) / self.width


STOP = None
