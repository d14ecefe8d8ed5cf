"""A simulated night: bias frames, flats and science exposures."""
from dataclasses import dataclass

import numpy as np

SIZE = 48


@dataclass(frozen=True)
class Exposure:
    name: str
    seconds: float
    seed: int


def night(count, seed):
    rng = np.random.default_rng(seed)
    return [Exposure(f"sci{n:03d}", float(rng.choice([30, 60, 120])), int(rng.integers(1 << 30)))
            for n in range(count)]


def sensitivity(seed=99):
    return np.random.default_rng(seed).normal(1.0, 0.05, (SIZE, SIZE))


def read_out(exposure, stars=12):
    rng = np.random.default_rng(exposure.seed)
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    sky = np.full((SIZE, SIZE), 1.5 * exposure.seconds)
    for cx, cy, flux in zip(rng.uniform(4, SIZE - 4, stars), rng.uniform(4, SIZE - 4, stars),
                            rng.pareto(2, stars)):
        sky += (flux + 1) * 20 * exposure.seconds * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 3)
    return 300 + rng.poisson(sky * sensitivity())


def master_flat(count=8, seed=7):
    rng = np.random.default_rng(seed)
    flats = [rng.poisson(20000 * sensitivity()) for _ in range(count)]
    return np.median(flats, axis=0) / 20000
