"""Errors of single batches are kept and listed at the end of a run."""
import logging
from contextlib import contextmanager

log = logging.getLogger("descriptors")


class ErrorCollector:
    def __init__(self, comm, strict=False):
        self.comm = comm
        self.strict = strict
        self.entries = []

    @contextmanager
    def guard(self, what):
        try:
            yield
        except (ValueError, ArithmeticError) as exc:
            if self.strict:
                self.comm.Abort(3)
            log.info("%s: %s", what, exc)
            self.entries.append({"rank": self.comm.rank, "what": what, "error": str(exc)})

    def report(self):
        parts = self.comm.gather(self.entries, root=0)
        return [e for part in parts for e in part] if parts is not None else None
