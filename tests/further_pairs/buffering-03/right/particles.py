import numpy as np


def make_cloud(n, seed):
    rng = np.random.default_rng(seed)
    pos = rng.random((n, 3))
    vel = rng.normal(scale=0.1, size=(n, 3))
    return pos, vel


def momentum(vel):
    return vel.sum(axis=0)
