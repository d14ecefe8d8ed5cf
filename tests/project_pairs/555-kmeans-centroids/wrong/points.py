import numpy as np


class Blobs:
    """Gaussian blobs around fixed centers."""

    def __init__(self, clusters, dims, seed, spread=0.6):
        self.seed = seed
        self.spread = spread
        self.centers = np.random.default_rng(seed).uniform(-5, 5, size=(clusters, dims))

    def sample(self, stream, rows):
        rng = np.random.default_rng((self.seed, stream))
        label = rng.integers(0, len(self.centers), size=rows)
        return self.centers[label] + self.spread * rng.normal(size=(rows, self.centers.shape[1]))
