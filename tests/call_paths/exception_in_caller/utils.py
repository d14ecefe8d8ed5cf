import numpy as np
from mpi4py import MPI


def reduce_mean(comm, x):
    out = np.empty_like(x)
    comm.Allreduce(x, out, op=MPI.SUM)
    return out / comm.Get_size()
