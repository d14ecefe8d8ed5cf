import numpy as np


def make_field(cfg, slabs, snap):
    """Own rows of a sum of random plane waves, the same waves on every rank."""
    rng = np.random.default_rng([cfg.seed, snap])
    waves = 24
    kx = rng.integers(-6, 7, waves)
    ky = rng.integers(-6, 7, waves)
    phase = rng.uniform(0.0, 2.0 * np.pi, waves)
    x = np.arange(slabs.lo, slabs.hi)[:, None] / cfg.cells
    y = np.arange(cfg.cells)[None, :] / cfg.cells
    out = np.zeros((slabs.hi - slabs.lo, cfg.cells))
    for a, b, p in zip(kx, ky, phase):
        out += np.cos(2.0 * np.pi * (a * x + b * y) + p)
    return out / np.sqrt(waves)
