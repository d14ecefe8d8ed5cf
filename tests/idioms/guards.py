"""Rank tests that are right: I1 to I9, I18, I22, I24, I37."""

import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def log(message):
    if rank == 0:
        print(message)
        with open("log", "a") as file:
            file.write(message)


def share(value):
    if rank == 0:
        comm.bcast(value, root=0)
    else:
        value = comm.bcast(None, root=0)
    return value


def share_and_collect(comm, value):
    if comm.rank == 0:
        comm.bcast(value)
        rows = comm.gather(value)
        return rows
    value = comm.bcast(None)
    comm.gather(value)
    return None


def load(path):
    data = None
    if rank == 0:
        with open(path) as file:
            data = file.read()
    return comm.bcast(data, root=0)


def total(comm, value):
    if comm is not None and comm.size > 1:
        return comm.allreduce(value)
    return value


def total_of_some(comm, value):
    if comm.size == 1:
        return value
    comm.Barrier()
    return comm.allreduce(value, op=MPI.MAX)


class Grid:
    def __init__(self, comm, rows):
        self.comm = comm
        self.row = comm.Split(comm.rank // rows, comm.rank)
        self.column = comm.Split(comm.rank % rows, comm.rank)
        self.row_rank = self.row.rank
        self.column_rank = self.column.rank

    def collect(self, value):
        parts = None
        if self.column_rank == 0:
            parts = self.row.gather(value, root=0)
        return parts

    def collect_rows(self, value):
        if self.row_rank == 0:
            return self.column.allgather(value)
        return None


def subset(wanted):
    part = comm.Split(rank < wanted)
    if rank >= wanted:
        part.Free()
        return None
    return part.allreduce(rank)


def leaders(comm):
    group = comm.Get_group().Incl([0, 1])
    if comm.rank < 2:
        pair = comm.Create_group(group)
        pair.Barrier()
        pair.Free()


def member(comm, ranks):
    part = comm.Create(comm.Get_group().Incl(ranks))
    if part != MPI.COMM_NULL:
        part.Barrier()


def own(value):
    if rank == 0:
        return MPI.COMM_SELF.allreduce(value)
    return None


def configured(settings, value):
    error = comm.allreduce(value, op=MPI.MAX) if settings.check else np.inf
    if settings.verbose and rank == 0:
        print(error)
    if settings.sync:
        comm.Barrier()
    return error


def until_converged(step):
    while True:
        residual = comm.allreduce(step(), op=MPI.MAX)
        if residual < 1e-6:
            break
        comm.Barrier()


def replicated(sizes):
    counts = comm.allgather(len(sizes))
    if max(counts) > 3:
        comm.Barrier()
    flag = np.array([len(sizes) > 2], dtype=np.int32)
    comm.Allreduce(MPI.IN_PLACE, flag, op=MPI.MAX)
    if flag[0]:
        comm.Barrier()


def in_turns(write):
    for _ in range(rank):
        comm.Barrier()
    write()
    for _ in range(size - rank):
        comm.Barrier()


def one_after_the_other(write):
    for turn in range(size):
        if turn == rank:
            write()
        comm.Barrier()


def check(path):
    if rank == 0 and not path.exists():
        print("missing", path, file=sys.stderr)
        comm.Abort(1)
    comm.Barrier()


def only_on_root(value):
    if rank != 0:
        raise RuntimeError("call this on the root")
    comm.bcast(value)


def algebra(matrix):
    if np.linalg.matrix_rank(matrix) == 0:
        comm.Barrier()


def for_many(comm, flag):
    """Reached with more processes than its callers have."""
    if comm.size > 3 and flag:
        comm.Barrier()
    if comm.size > 3:
        if flag:
            comm.Barrier()


def of_few():
    comm = MPI.COMM_WORLD
    size = comm.Get_size()
    if size > 2:
        return
    for_many(comm, comm.rank >= 1)
    if size == 3 and comm.rank == 0:
        comm.Barrier()


def of_one():
    comm = MPI.COMM_WORLD
    if comm.size == 1:
        if comm.rank == 0:
            comm.Barrier()


of_few()
of_one()
