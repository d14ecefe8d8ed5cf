import numpy as np
from mpi4py import MPI


class Trainer:
    """Holds weights and averages what the ranks compute."""

    def __init__(self, comm, size):
        self.comm = comm
        self.weights = np.zeros(size)

    def average(self, x):
        out = np.empty_like(x)
        self.comm.Allreduce(x, out, op=MPI.SUM)
        return out / self.comm.Get_size()
