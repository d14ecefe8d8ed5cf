"""What differs is passed on, kept, or agreed upon first, and decides about nothing: I5, I6, I9, I11, I14, I18, I21."""

import os
import time
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD


@dataclass
class Settings:
    rank: int
    debug: bool = False
    path: str = ""


def write(comm, data, path=None):
    if path:
        print(path)
    if path is not None:
        comm.gather(data)


def output(comm, data):
    write(comm, data, f"out.{comm.rank}.txt")
    write(comm, data, "out." + str(comm.rank))
    write(comm, data, os.path.join("out", f"{comm.rank}"))


def output2(comm, data, name=""):
    if name:
        comm.gather(data)


def named(comm, data):
    output2(comm, data, f"out.{comm.rank}")
    output2(comm, data, "out.%d" % comm.rank)
    output2(comm, data, name=os.path.join("a", "b%d" % comm.rank))


def configured(comm):
    cfg = {"rank": comm.rank, "debug": False, "n": 5}
    if cfg["debug"]:
        comm.Barrier()
    for _ in range(cfg["n"]):
        comm.allreduce(1)
    s = Settings(comm.rank, True)
    if s.debug:
        comm.Barrier()
    numbers = [1, comm.rank, 3]
    if numbers[0] == 1:
        comm.Barrier()


def parts(comm, data):
    color = comm.rank % 2
    sub = comm.Split(color, comm.rank)
    if color == 0:
        left(sub, data)
    else:
        right(sub)
    sub.Free()


def left(c, data):
    c.Barrier()
    c.bcast(data)


def right(c):
    c.allreduce(1)
    c.Barrier()
    c.gather(1)


def server(comm, tasks):
    for i, task in enumerate(tasks):
        comm.send(task, dest=1 + i % (comm.size - 1))
    for r in range(1, comm.size):
        comm.send(None, dest=r)
    comm.Barrier()


def worker(comm):
    while True:
        task = comm.recv(source=0)
        if task is None:
            break
        task()
    comm.Barrier()


def pool(comm, tasks):
    if comm.rank == 0:
        server(comm, tasks)
    else:
        worker(comm)


def counted(comm, n):
    counts = np.zeros(comm.size, dtype=int)
    counts[comm.rank] = n
    comm.Allreduce(MPI.IN_PLACE, counts)
    if counts[0] > 3:
        comm.Barrier()
    total = np.array(0)
    comm.Allreduce(np.array(comm.rank), total)
    if total > 0:
        comm.Barrier()
    displs = np.cumsum(counts)
    mine = displs[comm.rank]
    if mine > 3:
        print(mine)


def timing(comm, work):
    start = time.time()
    work()
    elapsed = time.time() - start
    slow = comm.allreduce(elapsed, op=MPI.MAX)
    if slow > 3:
        comm.Barrier()
    if comm.rank == 0 and elapsed > 3:
        print("slow")


class Writer:
    def __init__(self, comm, is_root):
        self.comm = comm
        self.is_root = is_root
        self.count = 0

    def write(self, x):
        if self.is_root:
            print(x)
        self.count += 1
        if self.count % 10 == 0:
            self.comm.Barrier()

    def gather(self, x):
        rows = self.comm.gather(x)
        if self.is_root:
            print(rows)
        return rows


def main():
    w = Writer(world, world.rank == 0)
    for i in range(10):
        w.write(i)
    rows = w.gather(1)
    if rows is not None:
        print(len(rows))
    value = world.scatter(list(range(world.size)))
    if value > 2:
        print("large")
    top = max(world.allgather(value))
    if top > 2:
        world.Barrier()


def neighbours(comm):
    left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
    comm.sendrecv(1, dest=right, source=left)
    if left != MPI.PROC_NULL:
        comm.recv(source=left)
    if comm.rank % 2 == 0:
        comm.send(1, dest=right)
    else:
        comm.recv(source=left)
    comm.Barrier()


def setup(comm):
    ngroups = min(comm.size, 4)
    group = comm.rank * ngroups // comm.size
    gcomm = comm.Split(group, comm.rank)
    roots = comm.Split(0 if gcomm.rank == 0 else MPI.UNDEFINED, comm.rank)
    if gcomm.rank == 0:
        data = roots.bcast(1)
        roots.Barrier()
    else:
        data = None
    data = gcomm.bcast(data)
    if roots != MPI.COMM_NULL:
        roots.Free()
    return data


def retry(comm, compute):
    for attempt in range(3):
        ok = True
        try:
            compute()
        except ValueError:
            ok = False
        if comm.allreduce(ok, op=MPI.LAND):
            return attempt
    comm.Abort(1)


def read(comm, path):
    data, error = None, None
    if comm.rank == 0:
        try:
            with open(path) as f:
                data = f.read()
        except OSError as e:
            error = e
    error = comm.bcast(error)
    if error is not None:
        raise error
    return comm.bcast(data)


main()
