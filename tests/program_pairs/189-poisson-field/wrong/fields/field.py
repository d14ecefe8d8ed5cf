import numpy as np
from mpi4py import MPI


class DistributedField:
    """Values at the cell centres of a block of (0, 1), one ghost on each side."""

    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        base, extra = divmod(n, comm.size)
        self.count = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        self.spacing = 1.0 / n
        self.data = np.zeros(self.count + 2)

    @property
    def interior(self):
        return self.data[1:-1]

    @property
    def x(self):
        return (self.first + np.arange(self.count) + 0.5) * self.spacing

    @property
    def norm(self):
        local = float(np.dot(self.interior, self.interior))
        return np.sqrt(self.spacing * self.comm.allreduce(local, op=MPI.SUM))

    def fill(self, func):
        self.interior[:] = func(self.x)

    def exchange(self):
        comm = self.comm
        left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
        comm.Sendrecv(self.data[-2:-1].copy(), dest=right, recvbuf=self.data[:1], source=left)
        comm.Sendrecv(self.data[1:2].copy(), dest=left, recvbuf=self.data[-1:], source=right)
        if left == MPI.PROC_NULL:
            self.data[0] = -self.data[1]
        if right == MPI.PROC_NULL:
            self.data[-1] = -self.data[-2]
