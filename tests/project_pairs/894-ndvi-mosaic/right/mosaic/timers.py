"""Wall time of the phases of a run."""
import time
from contextlib import contextmanager


class Timers:
    def __init__(self, comm):
        self.comm = comm
        self.seconds = {}

    @contextmanager
    def phase(self, name, sync=False):
        """Time a block; with sync the clock stops when the slowest rank is through."""
        start = time.perf_counter()
        yield
        if sync:
            self.comm.Barrier()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def table(self):
        return "\n".join(f"{k:<10s} {v:8.3f} s" for k, v in self.seconds.items())
