import numpy as np
from mpi4py import MPI


class Field:
    """A distributed field."""

    def __init__(self, comm, values):
        self.comm, self.values = comm, values

    @property
    def norm(self):
        out = np.zeros(1)
        self.comm.Allreduce(np.array([self.values @ self.values]), out, op=MPI.SUM)
        return float(out[0]) ** 0.5
