"""Soil moisture readings (synthetic) with a handful of predictors."""
import numpy as np


def load(n=120, p=6, seed=42):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p))
    w = rng.standard_normal(p)
    return x, x @ w + 0.4 * rng.standard_normal(n)
