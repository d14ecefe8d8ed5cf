"""Weighted Jacobi iteration for the steady heat equation."""
import logging

from mpi4py import MPI

log = logging.getLogger("plate")


class JacobiSolver:
    def __init__(self, slab, monitor, options):
        self.slab = slab
        self.monitor = monitor
        self.omega = options["omega"]
        self.max_iter = options["max_iter"]
        self.hot = options["hot"]
        self.cold = options["cold"]
        self.callbacks = []

    def on_step(self, fn):
        self.callbacks.append(fn)
        return fn

    def sweep(self):
        s = self.slab
        s.exchange()
        f, w = s.field, s.work
        w[:] = f
        avg = 0.25 * (f[:-2, 1:-1] + f[2:, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:])
        w[1:-1, 1:-1] = (1.0 - self.omega) * f[1:-1, 1:-1] + self.omega * avg
        old = s.interior()
        s.swap()
        return old, s.interior()

    def run(self):
        self.slab.apply_boundary(self.hot, self.cold)
        for it in range(1, self.max_iter + 1):
            old, new = self.sweep()
            if self.monitor.update(it, old, new):
                log.info("stopped after %d sweeps (change %.3e)", it, self.monitor.last)
                return it
            for fn in self.callbacks:
                fn(it, self)
        log.info("no convergence in %d sweeps", self.max_iter)
        return self.max_iter


def mean_temperature(slab):
    total = slab.comm.allreduce(float(slab.interior().sum()), op=MPI.SUM)
    return total / (slab.ny * slab.nx)
