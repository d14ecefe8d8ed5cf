import numpy as np


class LinearTask:
    """Least squares on synthetic rows."""

    def __init__(self, dims, noise, seed):
        self.dims = dims
        self.noise = noise
        self.seed = seed
        self.truth = np.random.default_rng(seed).normal(size=dims)

    def rows(self, stream, count):
        rng = np.random.default_rng((self.seed, stream))
        x = rng.normal(size=(count, self.dims))
        return x, x @ self.truth + self.noise * rng.normal(size=count)

    @staticmethod
    def gradient(w, x, y):
        return x.T @ (x @ w - y) / len(y)

    def error(self, w):
        return float(np.linalg.norm(w - self.truth) / np.linalg.norm(self.truth))
