import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("heat")


class JacobiSolver:
    def __init__(self, grid, tol=1e-4, max_sweeps=20000, report_every=200):
        self.grid = grid
        self.tol = tol
        self.max_sweeps = max_sweeps
        self.report_every = report_every
        self.history = []

    def sweep(self):
        u = self.grid.u
        new = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = np.max(np.abs(new - u[1:-1, 1:-1])) if new.size else 0.0
        u[1:-1, 1:-1] = new
        return float(change)

    def residual(self, change):
        # largest update of this sweep, this is what the paper calls r_k
        res = self.grid.world.allreduce(change, op=MPI.MAX)
        self.history.append(res)
        return res

    def is_done(self, res):
        return res < self.tol

    def solve(self):
        for k in range(self.max_sweeps):
            self.grid.exchange()
            res = self.residual(self.sweep())
            if k % self.report_every == 0 and self.grid.rank == 0:
                log.info("sweep %6d  residual %.3e", k, res)
            if self.is_done(res):
                return k + 1
        return self.max_sweeps
