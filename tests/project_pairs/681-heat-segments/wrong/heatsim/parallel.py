"""Thin wrapper over the MPI communicator used throughout the package."""
import numpy as np
from mpi4py import MPI


class World:
    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()

    @property
    def is_root(self):
        return self.rank == 0

    def split_rows(self, n):
        """Row counts of all ranks for n rows."""
        base, extra = divmod(n, self.size)
        return [base + (r < extra) for r in range(self.size)]

    def bcast(self, value, root=0):
        return self.comm.bcast(value, root=root)

    def sum(self, value):
        return self.comm.allreduce(value, op=MPI.SUM)

    def max(self, value):
        return self.comm.allreduce(value, op=MPI.MAX)

    def gather_rows(self, local, counts):
        ncol = local.shape[1]
        full = np.empty((sum(counts), ncol)) if self.is_root else None
        spec = [full, [c * ncol for c in counts]] if self.is_root else None
        self.comm.Gatherv(np.ascontiguousarray(local), spec, root=0)
        return full

    def scatter_rows(self, full, local, counts):
        ncol = local.shape[1]
        spec = [full, [c * ncol for c in counts]] if self.is_root else None
        self.comm.Scatterv(spec, local, root=0)

    def exchange_rows(self, u):
        """Fill the ghost rows u[0] and u[-1] from the neighbours."""
        up = self.rank - 1 if self.rank > 0 else MPI.PROC_NULL
        down = self.rank + 1 if self.rank < self.size - 1 else MPI.PROC_NULL
        self.comm.Sendrecv(u[1], dest=up, sendtag=1, recvbuf=u[-1], source=down, recvtag=1)
        self.comm.Sendrecv(u[-2], dest=down, sendtag=2, recvbuf=u[0], source=up, recvtag=2)
