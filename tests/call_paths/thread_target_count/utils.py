import numpy as np
from mpi4py import MPI


def reduce_mean_into(comm, x, out):
    comm.Allreduce(x, out, op=MPI.SUM)
    out /= comm.Get_size()
