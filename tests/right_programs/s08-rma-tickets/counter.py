"""A shared ticket counter in the window of rank 0."""
from collections.abc import Iterator

import numpy as np
from mpi4py import MPI


class Tickets(Iterator):
    def __init__(self, comm, limit):
        self.comm, self.limit = comm, limit
        nbytes = MPI.INT64_T.Get_size() if comm.rank == 0 else 0
        self.window = MPI.Win.Allocate(nbytes, MPI.INT64_T.Get_size(), comm=comm)
        if comm.rank == 0:
            self.window.Lock(0)
            np.frombuffer(self.window.tomemory(), dtype="i8")[:] = 0
            self.window.Unlock(0)
        comm.Barrier()

    def __next__(self):
        one, drawn = np.ones(1, "i8"), np.empty(1, "i8")
        self.window.Lock(0, MPI.LOCK_SHARED)
        try:
            self.window.Fetch_and_op(one, drawn, 0, 0, MPI.SUM)
        finally:
            self.window.Unlock(0)
        if (ticket := int(drawn[0])) >= self.limit:
            raise StopIteration
        return ticket

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.comm.Barrier()
        self.window.Free()
