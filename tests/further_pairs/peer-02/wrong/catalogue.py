import numpy as np


def local_galaxies(rank):
    rng = np.random.default_rng(5 + rank)
    n = int(rng.integers(20, 40))
    return [round(float(m), 3) for m in rng.uniform(14.0, 22.0, size=n)]
