from dataclasses import dataclass, field
from typing import List, Tuple

import numpy as np


@dataclass
class Sky:
    sources: List[Tuple[float, float, float, float]] = field(default_factory=lambda: [
        (0.0, 0.0, 1.0, -0.7),
        (0.012, -0.008, 0.6, 0.2),
        (-0.015, 0.010, 0.3, -1.1),
    ])

    def visibility(self, u, v, freq, ref):
        out = np.zeros(u.size, dtype=complex)
        for l, m, flux, index in self.sources:
            amp = flux * (freq / ref) ** index
            out += amp * np.exp(-2j * np.pi * (u * l + v * m))
        return out


@dataclass
class Array:
    antennas: int = 20
    extent: float = 900.0
    seed: int = 4

    def baselines(self):
        rng = np.random.default_rng(self.seed)
        xy = rng.normal(scale=self.extent / 3.0, size=(self.antennas, 2))
        i, j = np.triu_indices(self.antennas, 1)
        return xy[i] - xy[j]
