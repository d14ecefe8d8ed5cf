"""Collective helpers on lists of numpy arrays."""
import numpy as np
from mpi4py import MPI


def sync_weights(arrays, root=0, comm=MPI.COMM_WORLD):
    for a in arrays:
        comm.Bcast(a, root=root)


def average(arrays, comm=MPI.COMM_WORLD):
    """Mean of every array over the ranks of ``comm``; one message for all."""
    flat = np.concatenate([a.ravel() for a in arrays])
    comm.Allreduce(MPI.IN_PLACE, flat, op=MPI.SUM)
    flat /= comm.Get_size()
    out, start = [], 0
    for a in arrays:
        out.append(flat[start:start + a.size].reshape(a.shape))
        start += a.size
    return out


def mean_scalar(value, comm=MPI.COMM_WORLD):
    return comm.allreduce(float(value), op=MPI.SUM) / comm.Get_size()
