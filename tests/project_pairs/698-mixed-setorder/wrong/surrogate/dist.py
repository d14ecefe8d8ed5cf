import numpy as np
from mpi4py import MPI


class Ranks:
    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.rank, self.size = comm.rank, comm.size
        self.first = self.rank == 0

    def mean(self, array):
        out = np.array(array, copy=True, order="C")
        self.comm.Allreduce(MPI.IN_PLACE, out, op=MPI.SUM)
        return out / self.size

    def max(self, value):
        return self.comm.allreduce(value, op=MPI.MAX)

    def from_first(self, array):
        out = np.array(array, copy=True, order="C")
        self.comm.Bcast(out, root=0)
        return out
