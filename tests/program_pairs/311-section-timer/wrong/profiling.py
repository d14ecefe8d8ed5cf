"""Wall-clock sections; the slowest process counts."""
import time
from collections import defaultdict

from mpi4py import MPI

TOTALS = defaultdict(float)


class Section:
    def __init__(self, comm, name):
        self.comm = comm
        self.name = name

    def __enter__(self):
        self.begin = time.perf_counter()
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            elapsed = time.perf_counter() - self.begin
            TOTALS[self.name] += self.comm.allreduce(elapsed, op=MPI.MAX)
        return False


def summary():
    return "  ".join(f"{name} {seconds:.3f}s" for name, seconds in sorted(TOTALS.items()))
