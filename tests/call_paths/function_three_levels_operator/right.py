"""Scale a distributed field to the interval from 0 to 1."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def reduce_all(comm, x, op):
    out = np.zeros_like(x)
    comm.Allreduce(x, out, op=op)
    return out


def reduce_scalar(comm, value, op):
    return float(reduce_all(comm, np.array([value]), op)[0])


def bound(comm, field, which):
    if which == "low":
        return reduce_scalar(comm, field.min(), MPI.MIN)
    return reduce_scalar(comm, field.max(), MPI.MAX)


field = np.linspace(rank, rank + 3.0, 16)
low = bound(comm, field, "low")
high = bound(comm, field, "high")
scaled = (field - low) / max(high - low, 1e-12)
print(rank, low, high, scaled.mean())
