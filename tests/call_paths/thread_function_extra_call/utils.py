import numpy as np
from mpi4py import MPI


def reduce_max(comm, value):
    out = np.zeros(1)
    comm.Allreduce(np.array([float(value)]), out, op=MPI.MAX)
    return float(out[0])
