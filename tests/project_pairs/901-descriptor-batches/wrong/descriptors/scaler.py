import numpy as np


class StreamingScaler:
    """Mean and variance of the features of all ranks, batch by batch."""

    def __init__(self, comm, width):
        self.comm = comm
        self.sums = np.zeros(2 * width + 1)

    def partial_fit(self, x):
        local = np.concatenate([[len(x)], x.sum(axis=0), (x**2).sum(axis=0)])
        batch = np.empty_like(local)
        self.comm.Allreduce(local, batch)
        self.sums += batch

    @property
    def mean(self):
        width = self.sums.size // 2
        return self.sums[1 : width + 1] / self.sums[0]

    @property
    def scale(self):
        width = self.sums.size // 2
        return np.sqrt(self.sums[width + 1 :] / self.sums[0] - self.mean**2)

    def transform(self, x):
        return (x - self.mean) / self.scale
