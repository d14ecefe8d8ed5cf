"""Wall-clock accounting of the phases of a run."""
import time
from contextlib import contextmanager

from mpi4py import MPI


class Phases:
    def __init__(self, comm):
        self.comm = comm
        self.slowest = {}

    @contextmanager
    def measure(self, name):
        begin = time.perf_counter()
        yield
        spent = self.comm.allreduce(time.perf_counter() - begin, op=MPI.MAX)
        self.slowest[name] = self.slowest.get(name, 0.0) + spent

    def table(self):
        width = max(len(n) for n in self.slowest)
        return "\n".join(f"  {n:<{width}} {t:8.4f} s" for n, t in sorted(self.slowest.items()))
