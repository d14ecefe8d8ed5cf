"""A vector spread over the ranks that behaves like a sequence."""
from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
from mpi4py import MPI


class SpreadVector(Sequence):
    def __init__(self, comm, local):
        self.comm, self.local = comm, np.asarray(local, dtype=float)
        self.counts = comm.allgather(len(self.local))
        self.starts = np.concatenate([[0], np.cumsum(self.counts)]).astype(int)

    @classmethod
    def generate(cls, comm, n, function):
        rows = np.array_split(np.arange(n), comm.size)[comm.rank]
        return cls(comm, [function(i) for i in rows.tolist()])

    def __len__(self):
        return int(self.starts[-1])

    def __getitem__(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        i %= len(self)
        owner = int(np.searchsorted(self.starts, i, side="right")) - 1
        value = None
        if owner == self.comm.rank:
            value = float(self.local[i - self.starts[owner]])
        return self.comm.bcast(value, root=owner)

    def like(self, local):
        return type(self)(self.comm, local)

    def __add__(self, other):
        return self.like(self.local + getattr(other, "local", other))

    def __mul__(self, factor):
        return self.like(self.local * getattr(factor, "local", factor))

    __rmul__ = __mul__
    __radd__ = __add__

    def __matmul__(self, other):
        return self.comm.allreduce(float(self.local @ other.local))

    def sum(self):
        return self.comm.allreduce(float(self.local.sum()))

    def gap(self, other):
        mine = float(np.abs(self.local - other.local).max(initial=0.0))
        return self.comm.allreduce(mine, op=MPI.MAX)

    def whole(self):
        """All entries, by way of blocks padded to the longest one."""
        longest = max(self.counts)
        block, blocks = np.zeros(longest), np.empty((self.comm.size, longest))
        block[:len(self.local)] = self.local
        self.comm.Allgather(block, blocks)
        return reduce(add, (b[:c].tolist() for b, c in zip(blocks, self.counts)))
