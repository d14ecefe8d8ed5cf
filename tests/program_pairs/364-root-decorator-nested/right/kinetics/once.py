"""Run a function on one rank and hand its result to all of them."""
import functools

from mpi4py import MPI


def on_root(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        comm = MPI.COMM_WORLD
        result = func(*args, **kwargs) if comm.rank == 0 else None
        return comm.bcast(result, root=0)

    return wrapper
