import numpy as np


class ShardedSampler:
    """Shuffles all indices and yields every size-th of them, starting at rank."""

    def __init__(self, n, rank, size, seed=0):
        self.n = n
        self.rank = rank
        self.size = size
        self.seed = seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        rng = np.random.default_rng()
        order = rng.permutation(self.n)
        usable = self.n - self.n % self.size
        for i in order[self.rank:usable:self.size]:
            yield int(i)

    def __len__(self):
        return self.n // self.size
