import functools
import time
from mpi4py import MPI


def timed(function):
    """Measure the slowest rank."""

    @functools.wraps(function)
    def wrapper(comm, *arguments):
        comm.Barrier()
        began = time.perf_counter()
        result = function(comm, *arguments)
        wrapper.seconds = comm.allreduce(time.perf_counter() - began, op=MPI.MAX)
        return result

    return wrapper
