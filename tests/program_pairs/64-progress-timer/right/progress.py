import time


class Progress:
    """Prints throughput of all ranks together every few fractions of a second."""

    def __init__(self, comm, interval=0.1):
        self.comm = comm
        self.interval = interval
        self.last = time.perf_counter()
        self.lines = 0

    def _due(self):
        now = time.perf_counter()
        if now - self.last >= self.interval:
            self.last = now
            return True
        return False

    def update(self, step, samples):
        if not self.comm.bcast(self._due(), root=0):
            return
        total = self.comm.allreduce(samples)
        self.lines += 1
        if self.comm.rank == 0:
            print(f"[{step:5d}] {total} samples", flush=True)
