"""Synthetic spectra kept in shards of different lengths, and a batch loader."""
import numpy as np

SHARD_SIZES = [210, 150, 180, 95, 130, 160]
N_BANDS = 12
TRUE_W = np.linspace(-1.0, 1.0, N_BANDS)


def load_shard(index, seed=1234):
    rng = np.random.default_rng([seed, index])
    x = rng.standard_normal((SHARD_SIZES[index], N_BANDS))
    y = x @ TRUE_W + 0.3 + 0.05 * rng.standard_normal(len(x))
    return x, y


class Loader:
    """Iterates over the shards of one worker in shuffled minibatches."""

    def __init__(self, shard_ids, batch_size, seed):
        parts = [load_shard(i) for i in shard_ids]
        self.x = np.concatenate([p[0] for p in parts])
        self.y = np.concatenate([p[1] for p in parts])
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.x) // self.batch_size

    def __iter__(self):
        order = self.rng.permutation(len(self.x))
        for b in range(len(self)):
            rows = order[b * self.batch_size : (b + 1) * self.batch_size]
            yield self.x[rows], self.y[rows]
