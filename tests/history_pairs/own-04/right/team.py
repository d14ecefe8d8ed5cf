import numpy as np
from mpi4py import MPI


class Team:
    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.me = comm.rank
        self.many = comm.size

    def sum(self, array):
        """The sum of the arrays of all as a new array."""
        result = np.empty_like(array)
        self.comm.Allreduce(array, result, op=MPI.SUM)
        return result

    def broadcast(self, array):
        """Overwrites the arrays of all others with that of the first one."""
        self.comm.Bcast(array, root=0)

    def collect(self, item):
        return self.comm.gather(item, root=0)
