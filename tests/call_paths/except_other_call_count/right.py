"""Mean temperature profile of stations, some of which have no data."""
import numpy as np
from mpi4py import MPI

FILES = {0: "11.0 12.0 13.0 14.0", 1: "missing"}
LEVELS = 4


def reduce_mean(comm, x):
    out = np.empty_like(x)
    comm.Allreduce(x, out, op=MPI.SUM)
    return out / comm.Get_size()


def profile(comm):
    try:
        values = np.array([float(word) for word in FILES[comm.Get_rank()].split()])
    except ValueError:
        return reduce_mean(comm, np.zeros(LEVELS))
    return reduce_mean(comm, values)


comm = MPI.COMM_WORLD
print(comm.Get_rank(), profile(comm))
