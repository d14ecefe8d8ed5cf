"""Parts of communicators, and roles in functions of their own: I3, I7, I11, I18."""

import socket

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
