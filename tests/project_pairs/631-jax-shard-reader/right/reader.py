"""Reads .npz shards; every process reads its own files."""
import glob
import os

import jax
import numpy as np
from jax.experimental import multihost_utils

EXAMPLES_PER_SHARD = 256
N_SHARDS = 10
N_FEATURES = 10


def write_shards(root):
    os.makedirs(root, exist_ok=True)
    rng = np.random.default_rng(99)
    w = rng.normal(size=N_FEATURES)
    for i in range(N_SHARDS):
        x = rng.normal(size=(EXAMPLES_PER_SHARD, N_FEATURES)).astype(np.float32)
        y = (x @ w > 0).astype(np.float32)
        np.savez(os.path.join(root, f"part-{i:05d}.npz"), x=x, y=y)


class ShardReader:
    def __init__(self, root, batch_size):
        files = sorted(glob.glob(os.path.join(root, "part-*.npz")))
        self.files = files[jax.process_index()::jax.process_count()]
        self.batch_size = batch_size
        n_batches = len(self.files) * (EXAMPLES_PER_SHARD // batch_size)
        self.steps_per_epoch = int(multihost_utils.process_allgather(np.array(n_batches)).min())

    def _batches(self, order):
        for i in order:
            with np.load(self.files[i]) as f:
                x, y = f["x"], f["y"]
            for start in range(0, len(x) - self.batch_size + 1, self.batch_size):
                stop = start + self.batch_size
                yield x[start:stop], y[start:stop]

    def epoch(self, seed):
        rng = np.random.default_rng([seed, jax.process_index()])
        stream = self._batches(rng.permutation(len(self.files)))
        for _, batch in zip(range(self.steps_per_epoch), stream):
            yield batch

    def __len__(self):
        return self.steps_per_epoch
