# y = A x on a 2-d process grid.
#
# A is cut into (prow x pcol) blocks, x lives on the first process row (block j
# of x on column j), partial products are summed along process rows.
import argparse
import math
import numpy as np
from mpi4py import MPI


class ProcessGrid:
    def __init__(self, comm):
        self.comm = comm
        p = int(math.isqrt(comm.size))
        if p * p != comm.size:
            raise SystemExit("number of processes must be a square")
        self.p = p
        self.row, self.col = divmod(comm.rank, p)
        self.row_comm = comm.Split(color=self.col, key=self.row)
        self.col_comm = comm.Split(color=self.row, key=self.col)

    def free(self):
        self.row_comm.Free()
        self.col_comm.Free()


def element(i, j):
    return 1.0 / (i + 2 * j + 1.0)


class BlockMatrix:
    def __init__(self, grid, n, fn=element):
        if n % grid.p:
            raise SystemExit("n must be a multiple of the grid size")
        self.grid = grid
        self.n = n
        self.b = n // grid.p
        i0, j0 = grid.row * self.b, grid.col * self.b
        ii, jj = np.meshgrid(np.arange(i0, i0 + self.b),
                             np.arange(j0, j0 + self.b), indexing="ij")
        self.block = fn(ii, jj)

    def matvec(self, xblock):
        """xblock valid on process row 0; result block on process column 0"""
        g = self.grid
        x = np.array(xblock) if g.row == 0 else np.empty(self.b)
        g.col_comm.Bcast(x, root=0)
        part = self.block @ x
        y = np.zeros(self.b) if g.col == 0 else None
        g.row_comm.Reduce(part, y, op=MPI.SUM, root=0)
        return y


def collect(grid, y, n):
    """stack the blocks of process column 0 on world rank 0"""
    pieces = grid.comm.gather(y if grid.col == 0 else None, root=0)
    if grid.comm.rank != 0:
        return None
    full = [p for p in pieces if p is not None]
    return np.concatenate(full)


def serial(n, x):
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    return element(i, j) @ x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=64)
    parser.add_argument("--reps", type=int, default=3)
    opts = parser.parse_args()

    grid = ProcessGrid(MPI.COMM_WORLD)
    A = BlockMatrix(grid, opts.n)
    x = np.cos(np.arange(opts.n))
    b = A.b
    xblock = x[grid.col * b:(grid.col + 1) * b] if grid.row == 0 else None

    best = np.inf
    for _ in range(opts.reps):
        t = MPI.Wtime()
        y = A.matvec(xblock)
        best = min(best, MPI.Wtime() - t)

    full = collect(grid, y, opts.n)
    slowest = grid.comm.allreduce(best, op=MPI.MAX)
    if grid.comm.rank == 0:
        err = np.abs(full - serial(opts.n, x)).max()
        print(f"error {err:.3e}")
        print(f"time  {slowest*1e6:.1f} us")
    grid.free()


if __name__ == "__main__":
    main()
