"""Slab decomposition of a square periodic grid."""
import numpy as np
from mpi4py import MPI


class Slab:
    """Rows of an n x n grid, spread evenly over the ranks of a communicator."""

    def __init__(self, comm, n):
        if n % comm.size:
            raise ValueError(f"grid size {n} is not a multiple of {comm.size} ranks")
        self.comm = comm
        self.n = n
        self.rows = n // comm.size
        self.start = comm.rank * self.rows

    @property
    def mine(self):
        return slice(self.start, self.start + self.rows)

    def transpose(self, a):
        """Return this rank's rows of the transpose of the distributed array."""
        p, m = self.comm.size, self.rows
        blocks = a.reshape(m, p, m).transpose(1, 2, 0)
        send = np.ascontiguousarray(blocks)
        recv = np.empty_like(send)
        self.comm.Alltoall(send, recv)
        return recv.transpose(1, 0, 2).reshape(m, self.n)

    def max(self, value):
        return self.comm.allreduce(float(value), op=MPI.MAX)
