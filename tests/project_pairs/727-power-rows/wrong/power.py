"""Largest eigenvalue of a symmetric matrix by the power method."""
import sys

import numpy as np
from mpi4py import MPI

from layout import Layout


def sample_matrix(n):
    rng = np.random.default_rng(12)
    a = rng.uniform(size=(n, n))
    return (a + a.T) / 2 + np.diag(np.arange(n, dtype=float))


class RowMatrix:
    def __init__(self, comm, full, n):
        self.comm = comm
        self.layout = Layout(n, comm.size)
        self.rows = np.empty((self.layout.counts[comm.rank], n))
        counts, starts = self.layout.wide(n)
        source = [full, counts, starts, MPI.DOUBLE] if comm.rank == 0 else None
        comm.Scatterv(source, self.rows, root=0)

    def __matmul__(self, x):
        out = np.zeros(self.layout.total)
        self.comm.Allgatherv(self.rows @ x,
                             [out, self.layout.counts, self.layout.starts, MPI.DOUBLE])
        return out


def power(matrix, n, sweeps=400):
    x = np.ones(n) / np.sqrt(n)
    value = 0.0
    for _ in range(sweeps):
        y = matrix @ x
        value = float(x @ y)
        x = y / np.linalg.norm(y)
    return value


def main(n=11):
    comm = MPI.COMM_WORLD
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    full = sample_matrix(n) if comm.rank == 0 else None
    value = power(RowMatrix(comm, full, n), n)
    if comm.rank == 0:
        print(f"power method {value:.6f}  numpy {np.linalg.eigvalsh(full)[-1]:.6f}")


if __name__ == "__main__":
    main()
