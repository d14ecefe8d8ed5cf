"""Convergence bookkeeping."""
from collections import deque

import numpy as np
from mpi4py import MPI


class ResidualMonitor:
    def __init__(self, comm, tol, every=10, keep=5):
        self.comm = comm
        self.tol = tol
        self.every = every
        self.history = deque(maxlen=keep)

    def measure(self, old, new):
        return float(np.max(np.abs(new - old))) if new.size else 0.0

    def update(self, it, old, new):
        if it % self.every:
            return False
        local = self.measure(old, new)
        res = self.comm.allreduce(local, op=MPI.MAX)
        self.history.append(res)
        return res < self.tol

    @property
    def last(self):
        return self.history[-1] if self.history else float("nan")
