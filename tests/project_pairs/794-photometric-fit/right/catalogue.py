"""Simulated star measurements of a sequence of exposures."""
from dataclasses import dataclass

import numpy as np

TRUTH = np.array([0.12, -0.035, 0.008])


@dataclass(frozen=True)
class Exposure:
    number: int
    colour: np.ndarray
    airmass: np.ndarray
    xy: np.ndarray
    residual: np.ndarray

    @property
    def shared_design(self):
        return np.column_stack((self.colour, self.colour**2, self.colour * self.airmass))

    @property
    def own_design(self):
        return np.column_stack((np.ones(len(self.xy)), self.xy))


def simulate(number, clouded):
    rng = np.random.default_rng((31, number))
    stars = 0 if number in clouded else int(rng.integers(40, 90))
    colour = rng.normal(0.6, 0.4, stars)
    airmass = 1.0 + rng.exponential(0.3) + 0.01 * rng.normal(size=stars)
    xy = rng.uniform(-1, 1, (stars, 2))
    own = rng.normal(0, 0.1, 3)
    shared = np.column_stack((colour, colour**2, colour * airmass))
    flat = np.column_stack((np.ones(stars), xy))
    residual = shared @ TRUTH + flat @ own + rng.normal(0, 0.01, stars)
    return Exposure(number, colour, airmass, xy, residual)
