import numpy as np
from mpi4py import MPI


class Phase:
    """All ranks leave a phase together."""

    def __init__(self, comm):
        self.comm = comm

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.comm.Barrier()

    def total(self, x):
        out = np.zeros_like(x)
        self.comm.Allreduce(x, out, op=MPI.SUM)
        return out
