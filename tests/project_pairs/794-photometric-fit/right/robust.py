"""Star weights for iteratively reweighted least squares."""
import numpy as np


def uniform(r):
    return np.ones_like(r)


def huber(k):
    def weight(r):
        return np.minimum(1.0, k / np.maximum(np.abs(r), 1e-12))
    return weight
