"""Acquisition geometry of a short seismic line."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shot:
    number: int
    x: float
    receivers: int = 24
    samples: int = 400

    @property
    def offsets(self):
        return np.arange(self.receivers) * 25.0 + 50.0


@dataclass(frozen=True)
class Line:
    shots: int
    spacing: float = 50.0

    def __iter__(self):
        return (Shot(i, i * self.spacing) for i in range(self.shots))

    def rounds(self, workers):
        """Shots dealt out in rounds, one for every worker."""
        shots = list(self)
        for start in range(0, len(shots), workers):
            yield shots[start:start + workers]
