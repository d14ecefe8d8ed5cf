import numpy as np
from mpi4py import MPI


class Domain:
    """Block decomposition of the axial coordinate with one ghost cell per side."""

    def __init__(self, ncells, comm):
        self.comm = comm
        self.rank, self.size = comm.rank, comm.size
        base, extra = divmod(ncells, self.size)
        self.counts = [base + (r < extra) for r in range(self.size)]
        self.n = self.counts[self.rank]
        self.offset = sum(self.counts[:self.rank])
        self.left = self.rank - 1 if self.rank > 0 else MPI.PROC_NULL
        self.right = self.rank + 1 if self.rank < self.size - 1 else MPI.PROC_NULL

    @property
    def is_inlet(self):
        return self.left == MPI.PROC_NULL

    @property
    def is_outlet(self):
        return self.right == MPI.PROC_NULL

    def zeros(self):
        return np.zeros(self.n + 2)

    def fill_ghosts(self, u):
        self.comm.Sendrecv(u[-2:-1], dest=self.right, recvbuf=u[:1], source=self.left)
        self.comm.Sendrecv(u[1:2], dest=self.left, recvbuf=u[-1:], source=self.right)

    def max_all(self, value):
        return self.comm.allreduce(float(value), op=MPI.MAX)

    def sum_all(self, value):
        return self.comm.allreduce(float(value), op=MPI.SUM)

    def collect(self, u):
        """Interior values of all blocks on rank 0, None elsewhere."""
        out = np.empty(sum(self.counts)) if self.rank == 0 else None
        self.comm.Gatherv(u[1:-1].copy(), (out, self.counts), root=0)
        return out
