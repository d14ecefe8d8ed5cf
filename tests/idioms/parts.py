"""Parts of communicators, and roles in functions of their own: I3, I7, I11, I18."""

import itertools
import random
import socket
from collections import deque
from itertools import chain

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD


def split_in_arms(comm, n):
    if comm.rank < n:
        sub = comm.Split(0)
        sub.Barrier()
        sub.allreduce(1)
    else:
        sub = comm.Split(MPI.UNDEFINED)


def split_then(comm, n):
    if comm.rank < n:
        sub = comm.Split(0)
    else:
        sub = comm.Split(1)
    if comm.rank < n:
        sub.Barrier()


def master(comm):
    sub = comm.Split(0)
    sub.Barrier()


def slave(comm):
    sub = comm.Split(1)
    sub.allreduce(1)
    sub.bcast(1)


def roles(comm):
    if comm.rank == 0:
        master(comm)
    else:
        slave(comm)


def by_host(comm, first):
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    if socket.gethostname() == first:
        node.Barrier()


class S:
    def __init__(self, comm):
        self.comm = comm

    def two(self):
        self.comm.Barrier()
        self.comm.Barrier()


def uses(comm, flag):
    s = S(comm)
    if comm.rank == 0:
        s.two()
    else:
        comm.Barrier()
        comm.Barrier()


class Rows:
    """Parts of one array differ in their length, not in the number of axes, the type or the other axes."""

    def __init__(self, comm, counts, columns):
        self.comm = comm
        self.rank = comm.rank
        self.data = np.zeros((counts[self.rank], columns))

    def total(self, i):
        if self.data.ndim == 2 and len(self.data.shape) == 2:
            return self.comm.allreduce(self.data[:, i].sum())
        if np.ndim(self.data) == 1 or isinstance(self.data, np.ndarray):
            return self.comm.allreduce(self.data.sum())
        if self.data.dtype == np.float64 or np.iscomplexobj(self.data):
            self.comm.Barrier()
        rows, columns = self.data.shape
        if columns > 3 or self.data.shape[1] > 3 or self.data.shape[-1] > 2 or np.shape(self.data)[1] > 4:
            self.comm.Barrier()
        return rows


def rotated(comm, slices, n):
    """Another order on every rank, of the same length."""
    k = comm.rank
    ahead, behind = slices[k:], slices[:k]
    for part in chain(slices[k:], slices[0:k]):
        comm.allreduce(part)
    for part in slices[k:] + slices[:k]:
        comm.allreduce(part)
    for part in list(slices[-k:]) + list(slices[:-k]):
        comm.allreduce(part)
    for part in [*slices[k:], *slices[:k]]:
        comm.allreduce(part)
    for part in itertools.chain(range(k + 1, comm.size), range(k + 1)):
        comm.allreduce(part)
    for part in list(range(k, n)) + list(range(0, k)):
        comm.allreduce(part)
    for part in slices[k : k + 1] + slices[k + 1 :] + slices[:k]:
        comm.allreduce(part)
    for part in np.roll(slices, k):
        comm.allreduce(part)
    for part in np.concatenate((slices[k:], slices[:k])):
        comm.allreduce(part)
    for part in [(i + k) % n for i in range(n)]:
        comm.allreduce(part)
    for part in sorted(range(n), key=lambda i: (i - k) % n):
        comm.allreduce(part)
    for part in reversed(np.roll(range(n), k)):
        comm.allreduce(part)
    for part in random.sample(range(n), n):
        comm.allreduce(part)
    for part in range(k, k + n):
        comm.allreduce(part)
    return ahead, behind


def rotated_queue(comm, items):
    queue = deque(items)
    queue.rotate(comm.rank)
    for item in queue:
        comm.allreduce(item)
    order = list(items)
    random.shuffle(order)
    for item in order:
        comm.allreduce(item)


def rotated_halves(comm, items):
    ahead = items[comm.rank :]
    behind = items[: comm.rank]
    for item in ahead + behind:
        comm.allreduce(item)
