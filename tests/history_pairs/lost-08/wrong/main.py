import numpy as np
from mpi4py import MPI


class EventList:
    """Events of all ranks with one numbering."""

    def __init__(self, comm, energies):
        self.comm = comm
        self.energies = energies
        self.first = self._first_number()

    def _first_number(self):
        lengths = self.comm.gather(len(self.energies), root=0)
        return sum(lengths[:self.comm.rank]) if lengths else 0

    def numbers(self):
        return np.arange(self.first, self.first + len(self.energies))

    def select(self, threshold):
        return self.numbers()[self.energies > threshold]


comm = MPI.COMM_WORLD
rng = np.random.default_rng(comm.rank + 31)
events = EventList(comm, rng.exponential(scale=2.0, size=50 + comm.rank))

chosen = comm.gather(events.select(1.0).tolist(), root=0)
if comm.rank == 0:
    flat = [number for part in chosen for number in part]
    print("chosen:", len(flat))
    print("all different:", len(flat) == len(set(flat)))
