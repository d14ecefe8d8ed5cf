"""Blocks travel around the ring through persistent requests."""
from collections import deque
from contextlib import ExitStack

import numpy as np
from mpi4py import MPI


class Trail(deque):
    """The ranks whose block was seen, newest first."""

    def visit(self, rank):
        self.appendleft(rank)
        return rank


class Carousel(ExitStack):
    def __init__(self, comm, shape):
        super().__init__()
        self.comm = comm
        self.out, self.into = np.zeros(shape), np.zeros(shape)
        after, before = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        self.requests = [comm.Recv_init(self.into, source=before, tag=5),
                         comm.Send_init(self.out, dest=after, tag=5)]
        for request in self.requests:
            self.callback(request.Free)

    def turns(self, block):
        """Yield (home rank, block) for all blocks, the own one first."""
        self.out[...] = block
        trail = Trail(maxlen=self.comm.size)
        home = trail.visit(self.comm.rank)
        for turn in range(self.comm.size):
            last = turn == self.comm.size - 1
            if not last:
                MPI.Prequest.Startall(self.requests)
            yield home, self.out
            if not last:
                MPI.Request.Waitall(self.requests)
                self.out[...] = self.into
                home = trail.visit((home - 1) % self.comm.size)
        assert sorted(trail) == list(range(self.comm.size))
