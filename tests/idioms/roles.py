"""Processes with different roles: I10 to I13, I19, I21, I25, I26, I28."""

import threading
from contextlib import contextmanager
from functools import wraps

from mpi4py import MPI

STOP, WORK = 1, 2


class Pool:
    def __init__(self, comm=None):
        self.comm = MPI.COMM_WORLD if comm is None else comm
        self.rank = self.comm.Get_rank()
        self.workers = set(range(self.comm.size)) - {0}

    def is_master(self):
        return self.rank == 0

    def serve(self):
        if self.is_master():
            return
        status = MPI.Status()
        while True:
            task = self.comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
            if status.Get_tag() == STOP:
                break
            self.comm.ssend(task(), dest=0, tag=WORK)

    def map(self, function, tasks):
        if not self.is_master():
            self.serve()
            return None
        results = []
        for worker, task in zip(sorted(self.workers), tasks):
            self.comm.send((function, task), dest=worker, tag=WORK)
        for _ in tasks:
            results.append(self.comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG))
        return results

    def close(self):
        if not self.is_master():
            return
        for worker in sorted(self.workers):
            self.comm.send(None, dest=worker, tag=STOP)


class Commander:
    def __init__(self, comm):
        self.comm = comm
        self.is_root = comm.rank == 0

    def listen(self):
        while True:
            command = self.comm.bcast(None, root=0)
            if command is None:
                break
            command()

    def order(self, command):
        if self.is_root:
            self.comm.bcast(command, root=0)

    def dismiss(self):
        if not self.is_root:
            raise RuntimeError("only the root may do this")
        self.comm.bcast(None, root=0)


def exchange(comm, data):
    requests = []
    for peer in range(comm.size):
        if peer != comm.rank:
            requests.append(comm.isend(data, dest=peer))
    received = [comm.recv(source=peer) for peer in range(comm.size) if peer != comm.rank]
    MPI.Request.waitall(requests)
    return received


def started(comm, data):
    return comm.Isend(data, dest=0)


def guarded(comm, work):
    error = None
    try:
        work()
    except ValueError as caught:
        error = caught
    errors = comm.allgather(error)
    if any(errors):
        raise RuntimeError("some rank failed")


@contextmanager
def together(comm):
    try:
        yield
    finally:
        comm.Barrier()


def root_only(function):
    @wraps(function)
    def wrapper(self, *arguments):
        result = None
        if self.comm.rank == 0:
            result = function(self, *arguments)
        return self.comm.bcast(result, root=0)

    return wrapper


class Report:
    def __init__(self, comm):
        self.comm = comm

    @root_only
    def write(self, text):
        print(text)
        return len(text)


def pieces(comm, items):
    for item in items[comm.rank :: comm.size]:
        yield item
    comm.Barrier()


def later(comm):
    if comm.rank == 0:

        def callback():
            comm.Barrier()

        return callback
    return None


def beside(comm):
    if comm.rank == 0:
        thread = threading.Thread(target=print, args=("root",))
        thread.start()
        thread.join()
    comm.Barrier()
