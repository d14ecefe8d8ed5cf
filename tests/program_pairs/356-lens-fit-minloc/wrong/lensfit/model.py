import numpy as np


def velocity(p, r):
    v0, rs, core = p
    return v0 * np.sqrt(np.log1p(r / abs(rs)) / (r / abs(rs) + abs(core)))


def synthetic(n=60):
    rng = np.random.default_rng(3)
    r = np.linspace(0.5, 30, n)
    return r, velocity((220.0, 4.0, 0.3), r) + rng.normal(0, 2.0, n)


def chi2(p, r, v):
    return float(np.mean((velocity(p, r) - v) ** 2) / 4.0)
