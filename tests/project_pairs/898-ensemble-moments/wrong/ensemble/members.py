"""Members: a zonal energy balance model with perturbed parameters."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MemberConfig:
    members: int = 30
    years: int = 60
    bands: int = 18
    warming: float = 4.0
    seed: int = 77


class Member:
    def __init__(self, cfg, number):
        self.cfg = cfg
        self.rng = np.random.default_rng([cfg.seed, number])
        # bands of equal area: evenly spaced in the sine of latitude
        self.x = -1.0 + 2.0 / cfg.bands * (np.arange(cfg.bands) + 0.5)
        self.feedback = self.rng.normal(1.9, 0.15)
        self.transport = self.rng.normal(3.8, 0.3)
        self.temp = 30.0 - 45.0 * self.x**2

    def step(self, year):
        cfg = self.cfg
        forcing = cfg.warming * year / cfg.years
        for _ in range(12):
            albedo = np.where(self.temp < -5.0, 0.45, 0.31)
            solar = 340.0 * (1.241 - 0.723 * self.x**2) * (1 - albedo)
            loss = 210.0 + self.feedback * self.temp
            spread = self.transport * (self.temp.mean() - self.temp)
            noise = self.rng.normal(scale=4.0, size=cfg.bands)
            self.temp = self.temp + (solar + forcing - loss + spread + noise) / 60.0
        return {"temp": self.temp.copy(), "ice": (self.temp < -5.0).astype(float)}
