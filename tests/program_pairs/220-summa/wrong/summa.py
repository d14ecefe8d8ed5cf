"""SUMMA: C = A B on a square process grid."""
import argparse
import math
import sys

import numpy as np
from mpi4py import MPI

from grid import ProcessGrid


def local_block(grid, n, func):
    nb = n // grid.q
    i = grid.row * nb + np.arange(nb)[:, None]
    j = grid.col * nb + np.arange(nb)[None, :]
    return np.ascontiguousarray(func(i, j), dtype=float)


def multiply(grid, a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for k in range(grid.q):
        a_panel = a.copy() if grid.col == k else np.empty_like(a)
        b_panel = b.copy() if grid.row == k else np.empty_like(b)
        grid.row_comm.Bcast(a_panel, root=k)
        grid.row_comm.Bcast(b_panel, root=k)
        c += a_panel @ b_panel
    return c


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=128)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    if math.isqrt(comm.size) ** 2 != comm.size:
        sys.exit("the number of processes has to be a square")
    grid = ProcessGrid(comm)
    n = args.n - args.n % grid.q

    fa = lambda i, j: np.cos(0.1 * i) + 0.01 * j
    fb = lambda i, j: np.sin(0.2 * j) - 0.02 * i
    c = multiply(grid, local_block(grid, n, fa), local_block(grid, n, fb))

    full = np.arange(n)
    exact = fa(full[:, None], full[None, :]) @ fb(full[:, None], full[None, :])
    nb = n // grid.q
    mine = exact[grid.row * nb:(grid.row + 1) * nb, grid.col * nb:(grid.col + 1) * nb]
    error = comm.allreduce(float(np.abs(c - mine).max()), op=MPI.MAX)
    if comm.rank == 0:
        print(f"n = {n}, grid {grid.q} x {grid.q}, largest error {error:.3e}")
    return 0 if error < 1e-8 * n else 1


if __name__ == "__main__":
    sys.exit(main())
