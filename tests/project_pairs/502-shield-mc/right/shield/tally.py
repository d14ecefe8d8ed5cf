import numpy as np
from mpi4py import MPI


class Tally:
    """Running sums of batch results."""

    def __init__(self, comm, bins):
        self.comm = comm
        self.local = np.zeros(3 + bins)

    def score(self, n, transmitted, reflected, profile):
        self.local[0] += n
        self.local[1] += transmitted
        self.local[2] += reflected
        self.local[3:] += profile

    def combined(self):
        total = np.empty_like(self.local)
        self.comm.Allreduce(self.local, total, op=MPI.SUM)
        return total

    def estimate(self):
        total = self.combined()
        n = max(total[0], 1.0)
        p = total[1] / n
        return p, float(np.sqrt(max(p * (1.0 - p), 1e-12) / n)), total
