import functools
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD


def rank_zero_only(func):
    """Call the function on rank 0, do nothing elsewhere."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if world.rank == 0:
            return func(*args, **kwargs)
        return None

    return wrapper


@rank_zero_only
def say(message, stream=sys.stdout):
    print(message, file=stream, flush=True)


def reduce_mean(value):
    return world.allreduce(value) / world.size
