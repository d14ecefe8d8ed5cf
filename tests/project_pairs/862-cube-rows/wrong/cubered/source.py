"""Spaxels of the observed field."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FieldConfig:
    n_spaxels: int = 200
    n_channels: int = 80
    line_at: float = 40.0
    noise: float = 0.05
    min_snr: float = 5.0


class SpaxelSource:
    """Yields (number, spectrum) of the spaxels of this rank."""

    def __init__(self, cfg, first, last):
        self.cfg = cfg
        self.first = first
        self.last = last

    def __len__(self):
        return self.last - self.first

    def __iter__(self):
        channel = np.arange(self.cfg.n_channels)
        for number in range(self.first, self.last):
            rng = np.random.default_rng([4, number])
            r = abs(number - 0.5 * self.cfg.n_spaxels) / self.cfg.n_spaxels
            peak = 2.0 * np.exp(-8.0 * r ** 2)
            centre = self.cfg.line_at + 6.0 * np.sin(4.0 * r)
            noise = self.cfg.noise * (1.0 + 9.0 * (rng.random() < 0.1))
            yield number, (peak * np.exp(-0.5 * ((channel - centre) / 3) ** 2)
                           + rng.normal(0.0, noise, channel.size))
