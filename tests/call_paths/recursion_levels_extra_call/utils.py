import numpy as np
from mpi4py import MPI


def norm(comm, x):
    out = np.zeros(1)
    comm.Allreduce(np.array([x @ x]), out, op=MPI.SUM)
    return float(out[0]) ** 0.5
