"""Domain totals and extremes of the species."""
from dataclasses import dataclass

from mpi4py import MPI


@dataclass
class Entry:
    name: str
    burden: float
    peak: float


class Budget:
    def __init__(self, comm, mechanism):
        self.comm = comm
        self.names = mechanism.transported()
        self.history = []

    def _entry(self, columns, name):
        values = columns[name]
        return Entry(name,
                     self.comm.allreduce(float(values.sum())),
                     self.comm.allreduce(float(values.max()), op=MPI.MAX))

    def record(self, time, columns):
        entries = {name: self._entry(columns, name) for name in self.names}
        self.history.append((time, entries))
        return entries

    def table(self):
        time, entries = self.history[-1]
        yield f"t = {time:.2f}"
        for name in sorted(entries):
            e = entries[name]
            yield f"{e.name:8s} {e.burden:12.6f} {e.peak:12.6f}"
