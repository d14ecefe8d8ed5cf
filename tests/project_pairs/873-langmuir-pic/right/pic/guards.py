"""Guard node communication.  Every kind of exchange has its own tag block."""
from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI

LEFTWARD, RIGHTWARD = 0, 1


class GuardExchange(ABC):
    tag = None

    def __init__(self, grid):
        self.grid = grid
        self.from_left = np.empty(1)
        self.from_right = np.empty(1)

    @abstractmethod
    def outgoing(self, field):
        """Values for the left and for the right neighbour."""

    @abstractmethod
    def absorb(self, field):
        """Use the values that have arrived."""

    def __call__(self, field):
        comm, grid = self.grid.comm, self.grid
        to_left, to_right = self.outgoing(field)
        requests = [
            comm.Irecv(self.from_left, source=grid.left, tag=self.tag + RIGHTWARD),
            comm.Irecv(self.from_right, source=grid.right, tag=self.tag + LEFTWARD),
            comm.Isend(to_left, dest=grid.left, tag=self.tag + LEFTWARD),
            comm.Isend(to_right, dest=grid.right, tag=self.tag + RIGHTWARD),
        ]
        MPI.Request.Waitall(requests)
        self.absorb(field)


class FillGuards(GuardExchange):
    """Copy edge nodes into the neighbours' guards."""
    tag = 10

    def outgoing(self, field):
        return field[1:2].copy(), field[-2:-1].copy()

    def absorb(self, field):
        field[0] = self.from_left[0]
        field[-1] = self.from_right[0]


class FoldGuards(GuardExchange):
    """Add what was deposited on guards to the nodes that own it."""
    tag = 20

    def outgoing(self, field):
        return field[0:1].copy(), field[-1:].copy()

    def absorb(self, field):
        field[1] += self.from_left[0]
        field[-2] += self.from_right[0]
        field[0] = field[-1] = 0.0
