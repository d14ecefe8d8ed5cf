import numpy as np
from mpi4py import MPI


class Dist:
    """What the engine needs from MPI."""

    def __init__(self, comm=None):
        self.comm = comm or MPI.COMM_WORLD
        self.rank = self.comm.rank
        self.size = self.comm.size
        self.is_main = self.rank == 0

    def share(self, n):
        """Slice of range(n) owned by this rank."""
        cuts = np.linspace(0, n, self.size + 1).astype(int)
        return slice(cuts[self.rank], cuts[self.rank + 1])

    def sum_array(self, a):
        out = np.empty_like(a)
        self.comm.Allreduce(a, out, op=MPI.SUM)
        return out

    def total(self, value, everywhere=True):
        """Sum of value over the ranks; with everywhere=False only on the main rank."""
        if everywhere:
            return self.comm.allreduce(value, op=MPI.SUM)
        return self.comm.reduce(value, op=MPI.SUM, root=0)
