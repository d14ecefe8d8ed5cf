import numpy as np
from mpi4py import MPI


class Model:
    def __init__(self, comm):
        self.comm = comm
        self.weights = np.zeros(3)

    def average(self, x):
        out = np.empty_like(x)
        self.comm.Allreduce(x, out, op=MPI.SUM)
        return out / self.comm.Get_size()
