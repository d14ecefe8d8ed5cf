"""Row-wise decomposition of a rectangular plate with one ghost row per side."""
import numpy as np
from mpi4py import MPI


class Slab:
    def __init__(self, comm, ny, nx):
        self.comm = comm
        self.ny, self.nx = ny, nx
        base, extra = divmod(ny, comm.size)
        self.rows = base + (1 if comm.rank < extra else 0)
        self.start = comm.rank * base + min(comm.rank, extra)
        self.up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.down = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        self.field = np.zeros((self.rows + 2, nx))
        self.work = np.zeros_like(self.field)

    def apply_boundary(self, hot, cold):
        if self.up == MPI.PROC_NULL:
            self.field[0, :] = hot
        if self.down == MPI.PROC_NULL:
            self.field[-1, :] = cold
        self.field[1:-1, 0] = cold
        self.field[1:-1, -1] = cold

    def exchange(self):
        f = self.field
        self.comm.Sendrecv(f[1, :], dest=self.up, sendtag=11,
                           recvbuf=f[-1, :], source=self.down, recvtag=11)
        self.comm.Sendrecv(f[-2, :], dest=self.down, sendtag=12,
                           recvbuf=f[0, :], source=self.up, recvtag=12)

    def interior(self):
        return self.field[1:-1, :]

    def swap(self):
        self.field, self.work = self.work, self.field
