"""Local failures become failures of all ranks, or of none."""
from contextlib import contextmanager
from functools import wraps


class CollectiveFailure(RuntimeError):
    def __init__(self, label, reasons):
        super().__init__(f"{label}: " + "; ".join(f"rank {r}: {m}" for r, m in reasons.items()))
        self.label, self.reasons = label, reasons


@contextmanager
def raise_together(comm, label):
    """The body must not communicate. Works as a decorator, too."""
    failure = None
    try:
        yield
    except Exception as exc:
        failure = exc
    told = comm.allgather(None if failure is None else f"{type(failure).__name__}({failure})")
    reasons = {r: m for r, m in enumerate(told) if m is not None}
    if reasons:
        raise CollectiveFailure(label, reasons) from failure


def retried(times, only=()):
    """Repeat a function that fails on all ranks together."""
    def decorate(function):
        @wraps(function)
        def attempts(*args, **kwargs):
            for left in reversed(range(times)):
                try:
                    return function(*args, **kwargs)
                except CollectiveFailure as exc:
                    if not left or only and exc.label not in only:
                        raise
        return attempts
    return decorate
