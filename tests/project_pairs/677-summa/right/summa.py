"""SUMMA: C = A B on a p x q grid of processes.

    mpirun -n 4 python summa.py [n]
"""
import sys

import numpy as np
from mpi4py import MPI


def chunk(n, parts, i):
    return n * i // parts, n * (i + 1) // parts


class Grid:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.p, self.q = MPI.Compute_dims(comm.Get_size(), 2)
        self.row, self.col = divmod(self.rank, self.q)
        # one communicator along each grid row, one along each grid column
        self.row_comm = comm.Split(color=self.row, key=self.col)
        self.col_comm = comm.Split(color=self.col, key=self.row)

    def local_part(self, M):
        r0, r1 = chunk(M.shape[0], self.p, self.row)
        c0, c1 = chunk(M.shape[1], self.q, self.col)
        return np.ascontiguousarray(M[r0:r1, c0:c1])

    def free(self):
        self.row_comm.Free()
        self.col_comm.Free()


def steps(n, p, q):
    """Pieces of the inner dimension that have one owner column and row."""
    cuts = {chunk(n, p, i)[0] for i in range(p)} | {chunk(n, q, j)[0] for j in range(q)}
    cuts = sorted(cuts | {n})
    for k0, k1 in zip(cuts[:-1], cuts[1:]):
        jcol = next(j for j in range(q) if chunk(n, q, j)[0] <= k0 < chunk(n, q, j)[1])
        irow = next(i for i in range(p) if chunk(n, p, i)[0] <= k0 < chunk(n, p, i)[1])
        yield k0, k1, irow, jcol


def summa(grid, A, B, n):
    C = np.zeros((A.shape[0], B.shape[1]))
    for k0, k1, irow, jcol in steps(n, grid.p, grid.q):
        if grid.col == jcol:
            off = chunk(n, grid.q, jcol)[0]
            apanel = np.ascontiguousarray(A[:, k0 - off:k1 - off])
        else:
            apanel = np.empty((A.shape[0], k1 - k0))
        if grid.row == irow:
            off = chunk(n, grid.p, irow)[0]
            bpanel = np.ascontiguousarray(B[k0 - off:k1 - off])
        else:
            bpanel = np.empty((k1 - k0, B.shape[1]))
        grid.row_comm.Bcast(apanel, root=jcol)
        grid.col_comm.Bcast(bpanel, root=irow)
        C += apanel @ bpanel
    return C


def main():
    comm = MPI.COMM_WORLD
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 301
    n = max(n, comm.Get_size())
    rng = np.random.default_rng(9)
    fullA, fullB = rng.normal(size=(n, n)), rng.normal(size=(n, n))

    grid = Grid(comm)
    A, B = grid.local_part(fullA), grid.local_part(fullB)
    C = summa(grid, A, B, n)

    err = np.abs(C - grid.local_part(fullA @ fullB)).max()
    err = comm.reduce(err, op=MPI.MAX, root=0)
    trace = 0.0
    for i in range(n):
        r0, r1 = chunk(n, grid.p, grid.row)
        c0, c1 = chunk(n, grid.q, grid.col)
        if r0 <= i < r1 and c0 <= i < c1:
            trace += C[i - r0, i - c0]
    trace = comm.reduce(trace, op=MPI.SUM, root=0)
    if comm.Get_rank() == 0:
        print(f"grid {grid.p} x {grid.q}, n = {n}")
        print(f"trace {trace:.6f}  (numpy {np.trace(fullA @ fullB):.6f})")
        print(f"largest error {err:.2e}", "ok" if err < 1e-8 else "FAILED")
    grid.free()


if __name__ == "__main__":
    main()
