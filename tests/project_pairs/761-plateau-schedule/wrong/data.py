"""Synthetic regression data and a sharded mini-batch loader."""
import numpy as np


def make_regression(n_samples, n_features, noise, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_samples, n_features))
    w = rng.normal(size=n_features)
    y = x @ w + noise * rng.normal(size=n_samples)
    return x, y


class ShardedLoader:
    """Yields the same number of batches on every rank."""

    def __init__(self, x, y, batch_size, rank, world_size, shuffle=True, seed=0):
        self.x, self.y = x, y
        self.batch_size = batch_size
        self.rank = rank
        self.world_size = world_size
        self.shuffle = shuffle
        self.seed = seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(self.x) // (self.batch_size * self.world_size)

    def __iter__(self):
        order = np.arange(len(self.x))
        if self.shuffle:
            np.random.default_rng([self.seed, self.epoch]).shuffle(order)
        mine = order[self.rank :: self.world_size]
        for i in range(len(self)):
            idx = mine[i * self.batch_size : (i + 1) * self.batch_size]
            yield self.x[idx], self.y[idx]
