"""Largest eigenvalue of a banded operator; the norm reduction overlaps with local work."""
import numpy as np
from mpi4py import MPI


class BandedOperator:
    """Tridiagonal operator with variable diagonal, rows in contiguous blocks."""

    def __init__(self, comm, n):
        base, extra = divmod(n, comm.size)
        self.comm = comm
        self.nlocal = base + (comm.rank < extra)
        first = comm.rank * base + min(comm.rank, extra)
        self.rows = np.arange(first, first + self.nlocal)
        self.diag = 2.0 + np.cos(0.1 * self.rows)
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    def apply(self, v):
        ext = np.zeros(self.nlocal + 2)
        ext[1:-1] = v
        self.comm.Sendrecv(ext[1:2], dest=self.left, recvbuf=ext[-1:], source=self.right)
        self.comm.Sendrecv(ext[-2:-1], dest=self.right, recvbuf=ext[:1], source=self.left)
        return self.diag * v - ext[:-2] - ext[2:]


class OverlappedNorm:
    def __init__(self, comm):
        self.comm = comm
        self.part = np.zeros(1)
        self.total = np.zeros(1)
        self.request = MPI.REQUEST_NULL

    def start(self, v):
        self.part[0] = v @ v
        self.request = self.comm.Iallreduce(self.part, self.total, op=MPI.SUM)

    def finish(self):
        self.request.Wait()
        return np.sqrt(self.total[0])


class PowerMethod:
    def __init__(self, op, tol=1e-9):
        self.op, self.tol = op, tol
        self.norm = OverlappedNorm(op.comm)

    def normalised(self, w):
        self.norm.start(w)
        peak = float(np.abs(w).max(initial=0.0))
        return w / self.norm.finish(), peak

    def solve(self, iterations):
        v, _ = self.normalised(1.0 + 0.5 * np.sin(7.0 * self.op.rows))
        value, peak = 0.0, 0.0
        for _ in range(iterations):
            w = self.op.apply(v)
            value = self.op.comm.allreduce(v @ w)
            v, peak = self.normalised(w)
        peak = self.op.comm.allreduce(peak, op=MPI.MAX)
        return value, v, peak


def main():
    comm = MPI.COMM_WORLD
    op = BandedOperator(comm, 203)
    value, v, peak = PowerMethod(op).solve(400)
    length = np.sqrt(comm.allreduce(v @ v))
    resid = op.apply(v) - value * v
    resid = np.sqrt(comm.allreduce(resid @ resid))
    if comm.rank == 0:
        print(f"lambda = {value:.6f}  |v| = {length:.6f}  residual = {resid:.2e}  peak {peak:.5f}")


if __name__ == "__main__":
    main()
