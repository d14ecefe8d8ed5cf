import numpy as np


class Sampler:
    """Fresh points for every step; each process draws its own part of a batch."""

    def __init__(self, cluster, rows, ndim, seed):
        self.cluster = cluster
        self.rows = rows // cluster.count
        self.ndim = ndim
        self.seed = seed

    def batch(self, step):
        rng = np.random.default_rng([self.seed, step, self.cluster.index])
        x = rng.uniform(-1.0, 1.0, (self.rows, self.ndim)).astype(np.float32)
        y = np.sin(2.0 * x[:, 0]) + x[:, 1] * x[:, 2]
        return self.cluster.stack_rows(x), self.cluster.stack_rows(y.astype(np.float32))
