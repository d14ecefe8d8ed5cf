"""Mean and variance of a stream, merged over the processes with an own reduction."""
import numpy as np
from mpi4py import MPI


def merge_moments(a, b, datatype):
    """Chan's formula for (n, mean, M2) triples; the result goes to the second operand."""
    x = np.frombuffer(a, dtype=float).reshape(-1, 3)
    y = np.frombuffer(b, dtype=float).reshape(-1, 3)
    n = x[:, 0] + y[:, 0]
    safe = np.maximum(n, 1.0)
    delta = y[:, 1] - x[:, 1]
    mean = x[:, 1] + delta * y[:, 0] / safe
    m2 = x[:, 2] + y[:, 2] + delta ** 2 * x[:, 0] * y[:, 0] / safe
    y = np.stack([n, mean, m2], axis=1)


MERGE = MPI.Op.Create(merge_moments, commute=True)


class RunningMoments:
    def __init__(self, channels):
        self.state = np.zeros((channels, 3))

    def push(self, values):
        s = self.state
        s[:, 0] += 1
        delta = values - s[:, 1]
        s[:, 1] += delta / s[:, 0]
        s[:, 2] += delta * (values - s[:, 1])

    def merged(self, comm):
        result = np.empty_like(self.state)
        comm.Allreduce(self.state, result, op=MERGE)
        other = RunningMoments(len(self.state))
        other.state = result
        return other

    @property
    def mean(self):
        return self.state[:, 1]

    @property
    def sd(self):
        return np.sqrt(self.state[:, 2] / np.maximum(self.state[:, 0] - 1, 1))
