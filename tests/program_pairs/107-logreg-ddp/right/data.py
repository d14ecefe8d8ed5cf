import numpy as np


def make_dataset(n, dim=12, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, dim))
    y = (x @ rng.standard_normal(dim) + 0.5 * rng.standard_normal(n) > 0).astype(float)
    return x, y


class ShardLoader:
    """Serves the rank's share of the samples in shuffled mini-batches."""

    def __init__(self, comm, x, y, batch_size):
        parts = np.array_split(np.arange(len(y)), comm.size)
        self.shard = x[parts[comm.rank]], y[parts[comm.rank]]
        self.rank = comm.rank
        self.batch_size = batch_size

    def __len__(self):
        return -(-len(self.shard[1]) // self.batch_size)

    def batches(self, epoch):
        x, y = self.shard
        order = np.random.default_rng([epoch, self.rank]).permutation(len(y))
        for start in range(0, len(y), self.batch_size):
            idx = order[start:start + self.batch_size]
            yield x[idx], y[idx]
