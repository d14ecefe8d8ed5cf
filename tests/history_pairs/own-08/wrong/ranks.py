import functools

from mpi4py import MPI

comm = MPI.COMM_WORLD


def my_rank():
    return comm.rank


def root_only(function):
    """Calls the function on rank 0; gives None elsewhere."""
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if comm.rank == 0:
            return function(*args, **kwargs)
        return None
    return wrapper


def mean_of_all(value):
    return comm.allreduce(value, op=MPI.SUM) / comm.size
