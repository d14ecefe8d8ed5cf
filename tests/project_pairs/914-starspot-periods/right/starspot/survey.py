"""Synthetic survey: light curves with a trend common to a sector."""
from dataclasses import dataclass

import numpy as np


@dataclass
class LightCurve:
    star: int
    time: np.ndarray
    flux: np.ndarray


class Survey:
    def __init__(self, stars, sectors, seed=3):
        self.stars = stars
        self.sectors = sectors
        self.seed = seed

    def period(self, star):
        return 2.0 + 0.37 * star

    def load(self, star, sector):
        rng = np.random.default_rng([self.seed, star, sector])
        time = np.linspace(0.0, 27.0, 120)
        flux = 0.02 * np.sin(2 * np.pi * time / self.period(star) + sector)
        flux += self.trend(time, sector) + 0.002 * rng.standard_normal(time.size)
        good = rng.random(time.size) < (0.06 if (star, sector) == (7, 1) else 0.9)
        return LightCurve(star, time[good], flux[good])

    @staticmethod
    def trend(time, sector):
        return 0.01 * (sector + 1) * (time / 27.0) ** 2
