import numpy as np


class MeanMetric:
    """Running mean over all samples seen by all ranks since the last reset."""

    def __init__(self, comm):
        self.comm = comm
        self.reset()

    def reset(self):
        self._state = np.zeros(2)

    def update(self, value, n=1):
        self._state += (value * n, n)

    def compute(self):
        synced = np.zeros_like(self._state)
        self.comm.Allreduce(self._state, synced)
        self.reset()
        total, count = synced
        return total / max(count, 1.0)
