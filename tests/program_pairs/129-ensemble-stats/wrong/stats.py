import numpy as np
from mpi4py import MPI

from members import SHAPE


class EnsembleStats:
    """Mean and spread over all members, wherever they are kept."""

    def __init__(self, comm):
        self.comm = comm

    def moments(self, fields):
        n = len(fields)
        if n == 0:
            nothing = np.zeros(SHAPE)
            return nothing, nothing
        stack = np.stack(fields)
        total = np.stack([stack.sum(axis=0), (stack ** 2).sum(axis=0)])
        self.comm.Allreduce(MPI.IN_PLACE, total, op=MPI.SUM)
        n = self.comm.allreduce(n)
        mean = total[0] / n
        return mean, np.sqrt(np.maximum(total[1] / n - mean ** 2, 0.0))

    def extremes(self, fields):
        low = min((f.min() for f in fields), default=np.inf)
        high = max((f.max() for f in fields), default=-np.inf)
        return self.comm.allreduce(low, op=MPI.MIN), self.comm.allreduce(high, op=MPI.MAX)
