"""Moving particles between slabs in letters of fixed capacity."""
from collections import defaultdict
from collections.abc import Iterator
from enum import Flag, auto
from operator import itemgetter

import numpy as np
from mpi4py import MPI

PARTICLE = np.dtype([("id", "i8"), ("x", "f8"), ("v", "f8")])


class Way(Flag):
    STAY = 0
    UP = auto()
    DOWN = auto()


class Letters(Iterator):
    """Cut an array of leavers into letters; goes on with empty ones for ever."""

    def __init__(self, leavers, capacity):
        self.leavers, self.capacity = leavers, capacity

    @property
    def needed(self):
        return -(-len(self.leavers) // self.capacity)

    def __next__(self):
        head, self.leavers = np.split(self.leavers, [self.capacity])
        letter = np.zeros(self.capacity + 1, PARTICLE)
        letter["id"][0] = len(head)
        letter[1:len(head) + 1] = head
        return letter


class Migration:
    def __init__(self, grid, capacity=4):
        self.grid, self.capacity = grid, capacity
        self.down, self.up = grid.Shift(0, 1)
        self.log = defaultdict(int)

    def swap(self, letter, dest, source, tag):
        inbox = np.empty_like(letter)
        self.grid.Sendrecv([letter.view("u1"), MPI.BYTE], dest=dest, sendtag=tag,
                           recvbuf=[inbox.view("u1"), MPI.BYTE], source=source, recvtag=tag)
        return inbox[1:1 + inbox["id"][0]]

    def __call__(self, particles, ways):
        stay = particles[[w is Way.STAY for w in ways]]
        up = Letters(particles[[Way.UP in w for w in ways]], self.capacity)
        down = Letters(particles[[Way.DOWN in w for w in ways]], self.capacity)
        rounds = self.grid.allreduce(max(up.needed, down.needed), op=MPI.MAX)
        arrived = [stay]
        for _, going_up, going_down in zip(range(rounds), up, down):
            arrived.append(self.swap(going_up, self.up, self.down, tag=1))
            arrived.append(self.swap(going_down, self.down, self.up, tag=2))
        self.log[rounds] += 1
        return np.array(sorted(np.concatenate(arrived).tolist(), key=itemgetter(0)), PARTICLE)
