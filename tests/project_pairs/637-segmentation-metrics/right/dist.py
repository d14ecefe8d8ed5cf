"""Thin layer over mpi4py."""
import functools

from mpi4py import MPI

_comm = MPI.COMM_WORLD


def rank():
    return _comm.Get_rank()


def world_size():
    return _comm.Get_size()


def sum_array(array):
    out = array.copy()
    _comm.Allreduce(MPI.IN_PLACE, out, op=MPI.SUM)
    return out


def rank_zero_only(fn):
    """Run the function on rank 0, do nothing elsewhere."""

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if rank() == 0:
            return fn(*args, **kwargs)
        return None

    return wrapper
