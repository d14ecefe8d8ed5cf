import numpy as np
from mpi4py import MPI


class StripField:
    """Rows of a periodic square lattice, with one halo row above and below."""

    def __init__(self, comm, n):
        if n % comm.size:
            raise ValueError("rows must divide evenly over the ranks")
        self.comm = comm
        self.n = n
        self.rows = n // comm.size
        self.first = comm.rank * self.rows
        self.data = np.zeros((self.rows + 2, n))
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size

    @property
    def interior(self):
        return self.data[1:-1]

    def randomise(self, seed):
        everything = np.random.default_rng(seed).uniform(-0.1, 0.1, (self.n, self.n))
        self.interior[...] = everything[self.first:self.first + self.rows]

    def refresh(self):
        d, comm = self.data, self.comm
        comm.Sendrecv(d[1], dest=self.up, sendtag=5, recvbuf=d[-1], source=self.down, recvtag=5)
        comm.Sendrecv(d[-2], dest=self.down, sendtag=6, recvbuf=d[0], source=self.up, recvtag=6)

    def laplacian(self):
        self.refresh()
        d = self.data
        side = np.roll(d[1:-1], 1, axis=1) + np.roll(d[1:-1], -1, axis=1)
        return d[:-2] + d[2:] + side - 4.0 * d[1:-1]

    def gather(self):
        whole = np.empty((self.n, self.n)) if self.comm.rank == 0 else None
        self.comm.Gather(self.interior.copy(), whole, root=0)
        return whole

    def total(self, local):
        return self.comm.allreduce(float(np.sum(local)), op=MPI.SUM)
