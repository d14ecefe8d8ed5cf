import numpy as np
from mpi4py import MPI


def moments(comm, delta):
    loc = np.array([delta.size, np.sum(delta**2), np.sum(delta**3)])
    n, s2, s3 = comm.allreduce(loc, op=MPI.SUM)
    var = s2 / n
    return var, (s3 / n) / var**2


def histogram(comm, delta, edges):
    h, _ = np.histogram(delta, bins=edges)
    return comm.reduce(h, op=MPI.SUM, root=0)
