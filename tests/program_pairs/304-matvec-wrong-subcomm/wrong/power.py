"""Power iteration for a dense matrix in a 2-D block distribution."""
import math

import numpy as np
from mpi4py import MPI

N = 120


def entry(i, j):
    return 1.0 / (1.0 + np.abs(i - j)) + np.where(i == j, 2.0 + np.sin(i), 0.0)


class BlockMatrix:
    def __init__(self, world, n):
        self.world = world
        self.p = math.isqrt(world.size)
        if self.p * self.p != world.size or n % self.p:
            raise SystemExit("needs a square number of processes that fits the matrix")
        self.b = n // self.p
        self.row, self.col = divmod(world.rank, self.p)
        self.row_comm = world.Split(self.row, self.col)
        self.col_comm = world.Split(self.col, self.row)
        i = self.row * self.b + np.arange(self.b)
        j = self.col * self.b + np.arange(self.b)
        self.block = entry(i[:, None], j[None, :])

    def matvec(self, x):
        """x is the piece of my block column; returns the piece of the product."""
        part = self.block @ x
        y = np.empty_like(part)
        self.col_comm.Allreduce(part, y, op=MPI.SUM)
        return self.transpose(y)

    def transpose(self, y):
        """Row pieces to column pieces: the diagonal process sends along its column."""
        x = y.copy()
        self.col_comm.Bcast(x, root=self.col)
        return x

    def dot(self, a, b):
        return self.row_comm.allreduce(float(a @ b))

    def free(self):
        self.row_comm.Free()
        self.col_comm.Free()


def power_iteration(matrix, tol=1e-12, max_iter=3000):
    x = np.ones(matrix.b)
    x /= math.sqrt(matrix.dot(x, x))
    value = 0.0
    for it in range(1, max_iter + 1):
        y = matrix.matvec(x)
        new = matrix.dot(x, y)
        x = y / math.sqrt(matrix.dot(y, y))
        if abs(new - value) < tol * abs(new):
            break
        value = new
    return new, it


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    A = BlockMatrix(comm, N)
    value, its = power_iteration(A)
    if comm.rank == 0:
        k = np.arange(N)
        exact = np.linalg.eigvalsh(entry(k[:, None], k[None, :]))[-1]
        print(f"{its} iterations: {value:.8f}   (LAPACK {exact:.8f})")
    A.free()
