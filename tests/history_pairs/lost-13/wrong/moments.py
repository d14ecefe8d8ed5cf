import numpy as np
from mpi4py import MPI


def global_sum(comm, value):
    return comm.allreduce(value, op=MPI.SUM)


def global_mean(comm, values):
    total = global_sum(comm, float(np.sum(values)))
    number = global_sum(comm, len(values))
    return total / number
