"""Dataset shards for the processes of a job."""
from dataclasses import dataclass

import numpy as np


@dataclass
class ShardedDataset:
    images: np.ndarray
    labels: np.ndarray
    index: int
    count: int

    def __post_init__(self):
        self.size = len(self.labels)
        order = np.random.default_rng(12).permutation(self.size)
        self.mine = order[self.index::self.count]

    def steps(self, batch):
        return self.size // self.count // batch

    def batches(self, batch, epoch):
        order = np.random.default_rng([epoch, self.index]).permutation(self.mine)
        for i in range(self.steps(batch)):
            take = order[i * batch:(i + 1) * batch]
            yield self.images[take], self.labels[take]


def synthetic(n, pixels=36, classes=4):
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((classes, pixels))
    labels = rng.integers(0, classes, size=n)
    images = centres[labels] + 0.7 * rng.standard_normal((n, pixels))
    return images.astype(np.float32), labels.astype(np.int32)
