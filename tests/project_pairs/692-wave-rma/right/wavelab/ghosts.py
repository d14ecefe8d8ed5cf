"""Exchanges fill u[0] and u[-1] with the end points of the neighbours."""
from contextlib import contextmanager

import numpy as np
from mpi4py import MPI

EXCHANGES = {}


def exchange(name):
    def add(cls):
        EXCHANGES[name] = cls
        return cls
    return add


class Exchange:
    def __init__(self, line):
        self.line = line

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


@exchange("sendrecv")
class SendrecvExchange(Exchange):
    def __call__(self, u):
        null, comm = MPI.PROC_NULL, self.line.comm
        left = null if self.line.left is None else self.line.left
        right = null if self.line.right is None else self.line.right
        comm.Sendrecv(u[1:2], left, 1, u[-1:], right, 1)
        comm.Sendrecv(u[-2:-1], right, 2, u[:1], left, 2)


@exchange("rma")
class RmaExchange(Exchange):
    """Each rank owns two slots: 0 is written from the left, 1 from the right."""

    def __enter__(self):
        self.win = MPI.Win.Allocate(16, 8, comm=self.line.comm)
        self.slots = np.frombuffer(self.win.tomemory(), dtype=float)
        self.slots[:] = 0.0
        self.line.comm.Barrier()
        return self

    def __exit__(self, *exc):
        if exc[0] is None:
            self.slots = None
            self.win.Free()
        return False

    @contextmanager
    def epoch(self):
        self.win.Fence(0)
        yield self.win
        self.win.Fence(0)

    def __call__(self, u):
        edge = u[1].copy(), u[-2].copy()
        with self.epoch() as win:
            if self.line.left is not None:
                win.Put(edge[0], self.line.left, target=1)
            if self.line.right is not None:
                win.Put(edge[1], self.line.right, target=0)
        u[0], u[-1] = self.slots
