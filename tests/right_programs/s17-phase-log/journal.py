"""Phases of a run: a clock that only the root keeps, barriers at both ends."""
from contextlib import ContextDecorator
from datetime import timedelta

from mpi4py import MPI


class Journal:
    """One per process. Only the first rank keeps lines."""
    _instance = None

    def __new__(cls, *args, **kwargs):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.lines = []
        return cls._instance

    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm

    def note(self, text):
        if self.comm.rank == 0:
            self.lines.append(text)

    def __len__(self):
        return len(self.lines)


class phase(ContextDecorator):
    def __init__(self, name, *, expect=()):
        self.name, self.expect = name, expect

    def __enter__(self):
        self.journal = Journal()
        self.journal.comm.Barrier()
        self.start = MPI.Wtime()
        return self

    def __exit__(self, kind, exc, trace):
        journal = self.journal
        kinds = set(journal.comm.allgather(kind and kind.__name__)) - {None}
        slowest = journal.comm.reduce(MPI.Wtime() - self.start, op=MPI.MAX, root=0)
        if slowest is not None:
            assert timedelta(seconds=slowest) >= timedelta(0)
        journal.note(f"{self.name}: {'/'.join(sorted(kinds)) or 'ok'}")
        if kinds and kind is None:
            raise RuntimeError(f"{self.name} failed elsewhere: {sorted(kinds)}")
        return kind is not None and issubclass(kind, self.expect)
