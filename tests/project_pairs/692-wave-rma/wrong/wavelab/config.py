from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class WaveConfig:
    points: int
    steps: int
    mode: int
    courant: float = 0.8

    @property
    def angle(self):
        """Phase of the discrete standing wave that passes in one step."""
        k = np.pi * self.mode / (self.points + 1)
        return 2.0 * np.arcsin(self.courant * np.sin(0.5 * k))
