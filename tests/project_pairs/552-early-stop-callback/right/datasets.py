import numpy as np


def _target(x):
    return np.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:3]


def _draw(rows, rng, noise):
    x = rng.uniform(-1.5, 1.5, size=(rows, 4))
    return x, _target(x) + noise * rng.normal(size=(rows, 1))


def make_split(rows, seed, rank):
    """Training rows of this rank, and the validation rows all ranks share."""
    train = _draw(rows, np.random.default_rng((seed, rank)), noise=0.1)
    valid = _draw(rows // 2, np.random.default_rng(seed + 1000), noise=0.0)
    return train, valid


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for i in range(0, len(x), size):
        pick = order[i:i + size]
        yield x[pick], y[pick]
