import numpy as np
from mpi4py import MPI


class Diagnostics:
    """Global quantities of the particle set."""

    def __init__(self, comm):
        self.comm = comm
        self.history = []

    def _sum(self, value):
        return self.comm.allreduce(value, op=MPI.SUM)

    def kinetic(self, mass, vel):
        return self._sum(0.5 * float((mass * (vel ** 2).sum(axis=1)).sum()))

    def momentum(self, mass, vel):
        p = self._sum((mass[:, None] * vel).sum(axis=0))
        return float(np.linalg.norm(p))

    def summary(self, mass, vel):
        entry = {"kinetic": self.kinetic(mass, vel), "momentum": self.momentum(mass, vel)}
        self.history.append(entry)
        return entry
