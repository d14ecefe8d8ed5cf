import numpy as np
from mpi4py import MPI


class Mean:
    """Callable which averages over the ranks."""

    def __init__(self, comm):
        self.comm = comm

    def __call__(self, x):
        out = np.empty_like(x)
        self.comm.Allreduce(x, out, op=MPI.SUM)
        return out / self.comm.Get_size()
