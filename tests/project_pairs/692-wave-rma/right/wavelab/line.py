import numpy as np
from mpi4py import MPI


class Line:
    """Interior points of the string, split into blocks."""

    def __init__(self, points, comm=MPI.COMM_WORLD):
        if points < comm.size:
            raise ValueError("every rank needs a point")
        self.comm = comm
        self.rank, self.size = comm.rank, comm.size
        self.index = np.array_split(np.arange(1, points + 1), comm.size)[comm.rank]
        self.left = self.rank - 1 if self.rank else None
        self.right = self.rank + 1 if self.rank + 1 < self.size else None

    def sum(self, x):
        return self.comm.allreduce(x, op=MPI.SUM)

    def max(self, x):
        return self.comm.allreduce(x, op=MPI.MAX)
