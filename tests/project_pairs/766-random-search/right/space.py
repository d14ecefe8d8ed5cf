import numpy as np


def log_uniform(lo, hi):
    return lambda rng: float(10 ** rng.uniform(np.log10(lo), np.log10(hi)))


def choice(*options):
    return lambda rng: options[rng.integers(len(options))]


SPACE = {
    "lr": log_uniform(1e-3, 3.0),
    "l2": log_uniform(1e-6, 1e-2),
    "batch": choice(16, 32, 64),
    "momentum": choice(0.0, 0.5, 0.9),
}


def sample(rng):
    return {name: draw(rng) for name, draw in SPACE.items()}
