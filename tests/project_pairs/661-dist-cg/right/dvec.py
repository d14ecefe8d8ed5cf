"""A small row-distributed vector and a 1D Laplacian, enough for CG."""
import numpy as np
from mpi4py import MPI


class DistVector:
    def __init__(self, data, comm):
        self.data = np.asarray(data, dtype=float)
        self.comm = comm

    def copy(self):
        return DistVector(self.data.copy(), self.comm)

    def dot(self, other):
        return self.comm.allreduce(float(self.data @ other.data), op=MPI.SUM)

    @property
    def norm(self):
        return np.sqrt(self.dot(self))

    def axpy(self, a, x):
        self.data += a * x.data
        return self

    def scale_add(self, a, x):
        self.data *= a
        self.data += x.data
        return self


class Laplacian1D:
    """tridiag(-1, 2 + shift, -1), rows spread over the ranks in order."""

    def __init__(self, n, comm, shift=0.01):
        self.comm = comm
        rank, size = comm.Get_rank(), comm.Get_size()
        bounds = [n * r // size for r in range(size + 1)]
        self.lo, self.hi = bounds[rank], bounds[rank + 1]
        self.left = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.right = rank + 1 if rank < size - 1 else MPI.PROC_NULL
        self.shift = shift

    def __matmul__(self, v):
        x = v.data
        ghost = np.zeros(x.size + 2)
        ghost[1:-1] = x
        self.comm.Sendrecv(x[:1], dest=self.left, sendtag=1,
                           recvbuf=ghost[-1:], source=self.right, recvtag=1)
        self.comm.Sendrecv(x[-1:], dest=self.right, sendtag=2,
                           recvbuf=ghost[:1], source=self.left, recvtag=2)
        y = (2.0 + self.shift) * x - ghost[:-2] - ghost[2:]
        return DistVector(y, self.comm)
