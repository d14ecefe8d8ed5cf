import numpy as np
from mpi4py import MPI


class SharedCounter:
    """Counter in the memory of rank 0; construction and exit are collective."""

    def __init__(self, comm):
        self.comm = comm
        size = MPI.INT64_T.Get_size()
        self.win = MPI.Win.Allocate(size if comm.rank == 0 else 0, size, comm=comm)
        if comm.rank == 0:
            zero = np.zeros(1, dtype=np.int64)
            self.win.Lock(0, MPI.LOCK_EXCLUSIVE)
            self.win.Put([zero, MPI.INT64_T], 0)
            self.win.Unlock(0)
        comm.Barrier()
        self._one = np.ones(1, dtype=np.int64)
        self._old = np.zeros(1, dtype=np.int64)

    def next(self):
        self.win.Lock(0, MPI.LOCK_SHARED)
        self.win.Fetch_and_op([self._one, MPI.INT64_T], [self._old, MPI.INT64_T], 0, 0, MPI.SUM)
        self.win.Unlock(0)
        return int(self._old[0])

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            self.win.Free()     # collective: waits for the others
        return False
