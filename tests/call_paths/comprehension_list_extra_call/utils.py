import numpy as np
from mpi4py import MPI


def reduce_max(comm, x):
    out = np.zeros(1)
    comm.Allreduce(np.array([np.abs(x).max()]), out, op=MPI.MAX)
    return float(out[0])
