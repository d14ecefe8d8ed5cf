import os

import numpy as np


def make_tiles(folder, count, cfg, seed=5):
    """Write small example tiles; a few hold too few objects or broken values."""
    os.makedirs(folder, exist_ok=True)
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = 3 if i % 6 == 4 else int(rng.integers(40, 80))
        r = rng.uniform(0.0, cfg.rmax, n)
        flux = np.exp(-3.0 * r) + rng.normal(scale=0.05, size=n)
        if i % 7 == 2:
            flux[::4] = np.nan
        np.savez(os.path.join(folder, f"tile_{i:03d}.npz"), r=r, flux=flux)
