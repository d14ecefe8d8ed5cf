"""A shared cursor: large chunks at first, smaller ones towards the end."""
import numpy as np
from mpi4py import MPI


class Cursor:
    def __init__(self, comm, total, host=0):
        self.comm = comm
        self.total = total
        self.host = host
        size = MPI.INT64_T.Get_size() if comm.rank == host else 0
        self.win = MPI.Win.Allocate(size, disp_unit=MPI.INT64_T.Get_size(), comm=comm)
        if comm.rank == host:
            self._write(0)
        comm.Barrier()

    def _write(self, value):
        start = np.array([value], dtype=np.int64)
        self.win.Lock(self.host, MPI.LOCK_EXCLUSIVE)
        self.win.Put(start, self.host)
        self.win.Unlock(self.host)

    def claim(self):
        """The next chunk as (first, last), or None if nothing is left."""
        place = np.zeros(1, dtype=np.int64)
        self.win.Lock(self.host, MPI.LOCK_EXCLUSIVE)
        self.win.Get(place, self.host)
        self.win.Flush(self.host)
        first = int(place[0])
        left = self.total - first
        if left <= 0:
            return None
        last = first + max(1, left // (2 * self.comm.size))
        place[0] = last
        self.win.Put(place, self.host)
        self.win.Unlock(self.host)
        return first, last

    def __iter__(self):
        while (chunk := self.claim()) is not None:
            yield range(*chunk)

    def close(self):
        self.win.Free()
