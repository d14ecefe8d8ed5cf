import numpy as np
from mpi4py import MPI


def reduce_scalar(comm, value, op=MPI.SUM):
    out = np.zeros(1)
    comm.Allreduce(np.array([float(value)]), out, op=op)
    return float(out[0])
