import numpy as np
from mpi4py import MPI


class Group:
    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.rank, self.size = comm.rank, comm.size
        self.head = self.rank == 0

    def total(self, value):
        """Sum of a number over the ranks."""
        return self.comm.allreduce(value, op=MPI.SUM)

    def sum(self, array):
        out = np.array(array, dtype=np.float64)
        self.comm.Allreduce(MPI.IN_PLACE, out, op=MPI.SUM)
        return out

    def share(self, value):
        return self.comm.bcast(value, root=0)
