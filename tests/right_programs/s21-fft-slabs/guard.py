"""Refusing unsuitable numbers of processes."""
import sys
from functools import wraps

from mpi4py import MPI


def needs_ranks(condition, text):
    def decorate(main):
        @wraps(main)
        def guarded(*args, **kwargs):
            comm = MPI.COMM_WORLD
            if not condition(comm.size):
                print(f"rank {comm.rank}: {text}, not {comm.size}", file=sys.stderr, flush=True)
                comm.Barrier()
                return 2
            return main(*args, **kwargs) or 0
        return guarded
    return decorate
