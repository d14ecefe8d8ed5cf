import numpy as np
from mpi4py import MPI


class Domain:
    """Block decomposition of a line of cells with one ghost cell at each side."""

    def __init__(self, cells, length, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.rank, self.size = comm.rank, comm.size
        if cells < self.size:
            raise ValueError("fewer cells than ranks")
        self.root = self.rank == 0
        self.dx = length / cells
        base, extra = divmod(cells, self.size)
        self.n = base + (self.rank < extra)
        self.start = self.rank * base + min(self.rank, extra)
        self.left = self.rank - 1 if self.rank else MPI.PROC_NULL
        self.right = self.rank + 1 if self.rank + 1 < self.size else MPI.PROC_NULL

    def centres(self):
        return (np.arange(self.start, self.start + self.n) + 0.5) * self.dx

    def fill_ghosts(self, q):
        """q has shape (variables, n + 2)."""
        nv = q.shape[0]
        recv = np.empty(nv)
        self.comm.Sendrecv(q[:, -2].copy(), self.right, 0, recv, self.left, 0)
        if self.left != MPI.PROC_NULL:
            q[:, 0] = recv
        self.comm.Sendrecv(q[:, 1].copy(), self.left, 1, recv, self.right, 1)
        if self.right != MPI.PROC_NULL:
            q[:, -1] = recv

    def global_sum(self, x):
        return self.comm.allreduce(x, op=MPI.SUM)

    def global_max(self, x):
        return self.comm.allreduce(x, op=MPI.MAX)

    def global_min(self, x):
        return self.comm.allreduce(x, op=MPI.MIN)
