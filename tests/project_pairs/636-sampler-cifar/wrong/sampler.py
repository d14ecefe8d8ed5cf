"""Epoch sampler that gives each rank its part of a shuffled data set."""
import numpy as np


class ShardedSampler:
    """Iterates over index batches.

    The data set is shuffled anew for every epoch and dealt out to the ranks,
    so that all ranks together see each example once (but for the remainder).
    """

    def __init__(self, n, batch_size, comm, seed=0):
        self.n = n
        self.batch_size = batch_size
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        self.seed = seed
        self.epoch = 0

    def __len__(self):
        return self.n // (self.size * self.batch_size)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def _generator(self):
        return np.random.default_rng([self.seed, self.epoch, self.rank])

    def __iter__(self):
        order = self._generator().permutation(self.n)
        mine = order[self.rank::self.size]
        for b in range(len(self)):
            yield mine[b * self.batch_size:(b + 1) * self.batch_size]


class Augmenter:
    """Random flips and shifts; each rank has its own stream."""

    def __init__(self, comm, seed=0, max_shift=2):
        self.rng = np.random.default_rng([seed, 1000 + comm.Get_rank()])
        self.max_shift = max_shift

    def __call__(self, images):
        out = np.empty_like(images)
        for i, img in enumerate(images):
            if self.rng.random() < 0.5:
                img = img[:, ::-1]
            dy, dx = self.rng.integers(-self.max_shift, self.max_shift + 1, size=2)
            out[i] = np.roll(img, (dy, dx), axis=(0, 1))
        return out
