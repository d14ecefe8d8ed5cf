"""Global reductions used by the solvers."""
import numpy as np
from mpi4py import MPI


def global_sum(local, comm=MPI.COMM_WORLD):
    return comm.allreduce(float(np.sum(local)), op=MPI.SUM)


def global_max(local, comm=MPI.COMM_WORLD):
    return comm.allreduce(float(np.max(local)), op=MPI.MAX)
