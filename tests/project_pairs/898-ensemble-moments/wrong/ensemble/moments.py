"""Count, mean and sum of squares of vectors, by the pairwise update."""
import numpy as np


class RunningMoments:
    def __init__(self, shape):
        self.count = 0.0
        self.mean = np.zeros(shape)
        self.m2 = np.zeros(shape)

    def push(self, value):
        self.merge(1.0, value, 0.0)

    def merge(self, count, mean, m2):
        if count == 0:
            return
        total = self.count + count
        delta = mean - self.mean
        self.mean = self.mean + delta * (count / total)
        self.m2 = self.m2 + m2 + delta**2 * (self.count * count / total)
        self.count = total

    def state(self):
        return self.count, self.mean, self.m2

    def std(self):
        return np.sqrt(self.m2 / max(self.count - 1.0, 1.0))

    def across(self, comm):
        """Moments of the values of all ranks, the same on every rank."""
        total = RunningMoments(self.mean.shape)
        for part in comm.allgather(self.state()):
            total.merge(*part)
        return total
