import numpy as np


class Shard:
    """Rows of the synthetic data set that belong to one worker."""

    def __init__(self, rank, size, seed=7):
        rng = np.random.default_rng(seed)
        sizes = 260 + 70 * np.arange(size)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        n = int(offsets[-1])
        x = rng.normal(size=(n, 8))
        w = np.linspace(-1.0, 1.0, 8)
        y = x @ w + 0.01 * rng.normal(size=n)
        lo, hi = offsets[rank], offsets[rank + 1]
        self.x, self.y = x[lo:hi], y[lo:hi]

    def __len__(self):
        return len(self.y)

    def num_batches(self, batch_size):
        return -(-len(self) // batch_size)

    def batches(self, batch_size, rng):
        order = rng.permutation(len(self))
        for lo in range(0, len(self), batch_size):
            idx = order[lo:lo + batch_size]
            yield self.x[idx], self.y[idx]
