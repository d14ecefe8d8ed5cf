"""Steady temperature of a straight fin by red-black relaxation."""
import numpy as np
from mpi4py import MPI


class FinSolver:
    def __init__(self, comm, cells):
        self.comm = comm
        base, extra = divmod(cells, comm.size)
        self.n = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        self.cells = cells
        self.prev = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.next = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def _halo(self, t):
        self.comm.Sendrecv(t[1:2], dest=self.prev, recvbuf=t[-1:], source=self.next)
        self.comm.Sendrecv(t[-2:-1], dest=self.next, recvbuf=t[:1], source=self.prev)

    def _edges(self, t, case):
        if self.prev == MPI.PROC_NULL:
            t[0] = 2.0 * (case.base - case.ambient) - t[1]
        if self.next == MPI.PROC_NULL:
            t[-1] = t[-2]

    def solve(self, case, tol=1e-7, sweeps=20000):
        h = case.length / self.cells
        t = np.full(self.n + 2, 0.5 * (case.base - case.ambient))
        diag = 2.0 + case.m2 * h * h
        colour = (self.first + np.arange(self.n)) % 2
        for sweep in range(1, sweeps + 1):
            change = 0.0
            for parity in (0, 1):
                self._halo(t)
                self._edges(t, case)
                pick = 1 + np.flatnonzero(colour == parity)
                new = t[pick] + 1.7 * ((t[pick - 1] + t[pick + 1]) / diag - t[pick])
                change = max(change, float(np.abs(new - t[pick]).max(initial=0.0)))
                t[pick] = new
            if sweep % 10 == 0 and self.comm.allreduce(change, op=MPI.MAX) < tol:
                break
        loss = 2.0 * case.film * float(t[1:-1].sum()) * h
        return self.comm.allreduce(loss), sweep
