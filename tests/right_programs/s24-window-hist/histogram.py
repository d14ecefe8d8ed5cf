"""Bins spread over the ranks; counts are accumulated into windows."""
from collections import OrderedDict, UserList
from contextlib import contextmanager

import numpy as np
from mpi4py import MPI


class Recent(OrderedDict):
    """The last few samples by bin, bounded."""

    def __init__(self, room):
        super().__init__()
        self.room = room

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.room:
            self.popitem(last=False)


class Pending(UserList):
    def by_owner(self, width):
        if not self:
            return
        bins, counts = np.unique(np.array(self.data), return_counts=True)
        owners = bins // width
        for owner in np.unique(owners).tolist():
            here = owners == owner
            yield owner, bins[here] - owner * width, counts[here].astype("i8")


class SpreadHistogram:
    def __init__(self, comm, bins):
        self.comm, self.bins = comm, bins
        self.width = -(-bins // comm.size)
        self.counts = np.zeros(self.width, dtype="i8")
        self.window = MPI.Win.Create(self.counts, disp_unit=8, comm=comm)
        self.pending, self.recent = Pending(), Recent(5)

    @contextmanager
    def filling(self):
        """Samples may be added inside; they arrive when all ranks have left."""
        self.pending.clear()
        yield self
        self.window.Fence()
        kept = []
        for owner, places, counts in self.pending.by_owner(self.width):
            block = np.zeros(self.width, dtype="i8")
            block[places] = counts
            kept.append(block)
            self.window.Accumulate(block, owner, op=MPI.SUM)
        self.window.Fence()

    def add(self, bin, sample):
        self.pending.append(bin)
        self.recent[bin] = sample

    def whole(self):
        """Fetch the blocks of all ranks, starting with the own one."""
        out = np.empty(self.width * self.comm.size, dtype="i8")
        self.window.Fence()
        for shift in range(self.comm.size):
            owner = (self.comm.rank + shift) % self.comm.size
            self.window.Get(out[owner * self.width:(owner + 1) * self.width], owner)
        self.window.Fence()
        return out[:self.bins]

    def free(self):
        self.window.Free()
