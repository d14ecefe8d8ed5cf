"""Small reductions used by the estimators."""
from functools import partial

import numpy as np
from mpi4py import MPI


def _buffer(value):
    return np.ascontiguousarray(value, dtype=float)


def sum_arrays(comm, *arrays, root=0):
    """Sums several arrays over the ranks in a single message."""
    flat = np.concatenate([_buffer(a).ravel() for a in arrays])
    total = np.empty_like(flat) if comm.rank == root else None
    comm.Reduce(flat, total, op=MPI.SUM, root=root)
    return _split(total, [np.shape(a) for a in arrays]) if total is not None else None


def sum_arrays_everywhere(comm, *arrays):
    flat = np.concatenate([_buffer(a).ravel() for a in arrays])
    total = np.empty_like(flat)
    comm.Allreduce(flat, total, op=MPI.SUM)
    return _split(total, [np.shape(a) for a in arrays])


def _split(flat, shapes):
    out, at = [], 0
    for shape in shapes:
        n = int(np.prod(shape, dtype=int))
        out.append(flat[at:at + n].reshape(shape))
        at += n
    return out


def scalar(comm, value, op):
    return comm.allreduce(value, op=op)


largest = partial(scalar, op=MPI.MAX)
smallest = partial(scalar, op=MPI.MIN)
