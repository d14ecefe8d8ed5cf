import numpy as np


def two_moons(n, noise=0.1, seed=4):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, np.pi, n)
    label = np.arange(n) % 2
    x = np.where(label == 0, np.cos(t), 1 - np.cos(t))
    y = np.where(label == 0, np.sin(t), 0.5 - np.sin(t))
    pts = np.stack([x, y], axis=1) + noise * rng.normal(size=(n, 2))
    return pts, label.astype(float)


def minibatches(rng, x, y, size):
    order = rng.permutation(len(y))
    for start in range(0, len(order), size):
        pick = order[start:start + size]
        yield x[pick], y[pick]
