import numpy as np
from mpi4py import MPI


class Swarm:
    def __init__(self):
        self._comm = MPI.COMM_WORLD
        self.rank = self._comm.rank
        self.rng = np.random.default_rng(800 + self.rank)

    def lowest(self, value):
        return self._comm.allreduce(value, op=MPI.MIN)

    def everyone(self, value):
        return self._comm.allgather(value)

    def follow(self, value, leader):
        return self._comm.bcast(value, root=leader)
