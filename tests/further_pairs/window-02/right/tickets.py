import numpy as np
from mpi4py import MPI


class TicketBox:
    """Hands out task numbers; the counter and the limit lie on rank 0."""

    def __init__(self, comm: MPI.Intracomm, limit: int):
        itemsize = MPI.INT64_T.Get_size()
        self.win = MPI.Win.Allocate(2 * itemsize if comm.rank == 0 else 0, itemsize, comm=comm)
        self.one = np.ones(1, dtype=np.int64)
        self.ticket = np.zeros(1, dtype=np.int64)
        self.limit = np.zeros(1, dtype=np.int64)
        if comm.rank == 0:
            start = np.array([0, limit], dtype=np.int64)
            self.win.Lock(0)
            self.win.Put(start, 0)
            self.win.Unlock(0)
        comm.Barrier()

    def draw(self):
        self.win.Lock(0)
        self.win.Fetch_and_op(self.one, self.ticket, 0, 0, op=MPI.SUM)
        self.win.Get(self.limit, 0, target=1)
        self.win.Unlock(0)
        if self.ticket[0] >= self.limit[0]:
            return None
        return int(self.ticket[0])

    def close(self):
        self.win.Free()
