import numpy as np


def clustered_catalogue(n, rng, nclusters=60, scale=0.02):
    centres = rng.random((nclusters, 3))
    member = rng.integers(0, nclusters, n)
    return (centres[member] + scale * rng.normal(size=(n, 3))) % 1.0
