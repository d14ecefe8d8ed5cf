import time
from contextlib import contextmanager


class Timers:
    def __init__(self):
        self.seconds = {}

    @contextmanager
    def __call__(self, name):
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def report(self, world):
        names = world.bcast(sorted(self.seconds))
        return [f"time {n:<12s} {world.max(self.seconds.get(n, 0.0)):.4f} s" for n in names]
