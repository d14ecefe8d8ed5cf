"""Communicator, rank, and section timing of a run."""
import logging
import time
from contextlib import contextmanager

log = logging.getLogger("sst")


class RunContext:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.rank
        self.size = comm.size
        self.sections = {}

    @property
    def is_root(self):
        return self.rank == 0

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None and self.size > 1:
            log.exception("rank %d failed", self.rank)
            self.comm.Abort(2)
        for name, seconds in self.sections.items():
            log.debug("%s: %.3f s", name, seconds)
        return False

    @contextmanager
    def section(self, name):
        start = time.perf_counter()
        yield
        self.sections[name] = time.perf_counter() - start
