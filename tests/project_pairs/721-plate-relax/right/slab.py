"""Horizontal slab of a square plate with one halo row above and below."""
import numpy as np
from mpi4py import MPI


def rows_of(total, parts, index):
    base, extra = divmod(total, parts)
    first = index * base + min(index, extra)
    return first, base + (1 if index < extra else 0)


class Slab:
    def __init__(self, comm, side, hot=100.0):
        self.comm = comm
        self.side = side
        self.first, self.count = rows_of(side, comm.size, comm.rank)
        self.up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.down = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        self.u = np.zeros((self.count + 2, side))
        if comm.rank == 0:
            self.u[0, :] = hot

    def _halo(self):
        u, comm = self.u, self.comm
        comm.Sendrecv(u[1], dest=self.up, sendtag=1,
                      recvbuf=u[-1], source=self.down, recvtag=1)
        comm.Sendrecv(u[-2], dest=self.down, sendtag=2,
                      recvbuf=u[0], source=self.up, recvtag=2)

    def relax(self):
        """One Jacobi sweep; returns the largest change of this slab."""
        self._halo()
        u = self.u
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1]
                                  + u[1:-1, :-2] + u[1:-1, 2:])
        change = float(np.abs(new - u).max())
        self.u = new
        return change

    def heat(self):
        return float(self.u[1:-1].sum())
