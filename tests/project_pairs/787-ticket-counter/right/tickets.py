"""Shared work counter living in a one-sided window on one rank."""
import numpy as np
from mpi4py import MPI


class TicketCounter:
    def __init__(self, comm, limit, host=0):
        self.comm = comm
        self.limit = limit
        self.host = host
        itemsize = MPI.INT64_T.Get_size()
        nbytes = itemsize if comm.rank == host else 0
        self.win = MPI.Win.Allocate(nbytes, disp_unit=itemsize, comm=comm)
        if comm.rank == host:
            self.win.Lock(host, MPI.LOCK_EXCLUSIVE)
            np.frombuffer(self.win.tomemory(), dtype=np.int64)[0] = 0
            self.win.Unlock(host)
        comm.Barrier()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if exc[0] is None:
            self.win.Free()
        return False

    def draw(self):
        """Take the next ticket number."""
        value = np.empty(1, dtype=np.int64)
        self.win.Lock(self.host, MPI.LOCK_EXCLUSIVE)
        self.win.Get(value, self.host)
        self.win.Flush(self.host)
        ticket = int(value[0])
        value[0] += 1
        self.win.Put(value, self.host)
        self.win.Unlock(self.host)
        return ticket

    def __iter__(self):
        while (ticket := self.draw()) < self.limit:
            yield ticket
