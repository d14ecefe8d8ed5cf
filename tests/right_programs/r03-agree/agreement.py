"""Turn an exception on some ranks into the same exception on all ranks."""
from contextlib import contextmanager

from mpi4py import MPI


class CollectiveError(RuntimeError):
    def __init__(self, what, failures):
        self.failures = failures
        first = min(failures)
        super().__init__(f"{what} failed on ranks {sorted(failures)}: {failures[first]}")


@contextmanager
def collective_try(comm, what):
    """Collective on entry of the exit path: the body must not communicate."""
    error = None
    try:
        yield
    except Exception as exc:
        error = f"{type(exc).__name__}: {exc}"
    n_bad = comm.allreduce(int(error is not None), op=MPI.SUM)
    if n_bad == 0:
        return
    messages = comm.allgather(error)
    raise CollectiveError(what, {r: m for r, m in enumerate(messages) if m is not None})
