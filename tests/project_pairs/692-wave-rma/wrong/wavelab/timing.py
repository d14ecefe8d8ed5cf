import time
from contextlib import contextmanager


class Stopwatch(dict):
    @contextmanager
    def __call__(self, name):
        start = time.perf_counter()
        yield
        self[name] = self.get(name, 0.0) + time.perf_counter() - start
