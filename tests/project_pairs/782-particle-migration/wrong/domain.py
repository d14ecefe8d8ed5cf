"""A ring of equal strips along x; every rank owns one strip."""
from dataclasses import dataclass, field

from mpi4py import MPI


@dataclass
class Strip:
    comm: MPI.Comm
    length: float = 1.0
    width: float = field(init=False)
    lo: float = field(init=False)
    hi: float = field(init=False)

    def __post_init__(self):
        self.width = self.length / self.comm.size
        self.lo = self.comm.rank * self.width
        self.hi = self.lo + self.width

    @property
    def left(self):
        return (self.comm.rank - 1) % self.comm.size

    @property
    def right(self):
        return (self.comm.rank + 1) % self.comm.size

    def owner(self, x):
        idx = (x / self.width).astype(int)
        return idx.clip(0, self.comm.size - 1)

    def hops(self, x):
        """Signed number of strips to travel, the shorter way round the ring."""
        size = self.comm.size
        d = (self.owner(x) - self.comm.rank) % size
        d[d > size // 2] -= size
        return d
