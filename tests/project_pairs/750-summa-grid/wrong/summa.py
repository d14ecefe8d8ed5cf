"""Distributed C = A B with the SUMMA algorithm on a q x q process grid."""
import numpy as np
from mpi4py import MPI

from grid import ProcessGrid

N = 24


def entry_a(i, j):
    return np.cos(0.3 * i) + 0.1 * j


def entry_b(i, j):
    return 1.0 / (1.0 + i + 2.0 * j)


def multiply(grid, a, b):
    c = np.zeros_like(a)
    for k in range(grid.q):
        left = a.copy() if grid.col == k else np.zeros_like(a)
        grid.in_row.Bcast(left, root=k)
        right = b.copy() if grid.row == k else np.zeros_like(b)
        grid.in_row.Bcast(right, root=k)
        c += left @ right
    return c


def main():
    grid = ProcessGrid(MPI.COMM_WORLD, N)
    a = grid.my_block(entry_a)
    b = grid.my_block(entry_b)
    product = grid.assemble(multiply(grid, a, b))
    if grid.cart.rank == 0:
        i = np.arange(N)[:, None]
        j = np.arange(N)[None, :]
        exact = entry_a(i, j) @ entry_b(i, j)
        print(f"trace {np.trace(product):.6f}")
        print(f"max error {np.abs(product - exact).max():.3e}")
    grid.free()


if __name__ == "__main__":
    main()
