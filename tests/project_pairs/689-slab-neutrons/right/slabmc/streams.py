import numpy as np


def make_rng(seed, stream=0):
    """Generator number `stream` of the family that belongs to `seed`."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(
        entropy=seed, spawn_key=(stream,))))
