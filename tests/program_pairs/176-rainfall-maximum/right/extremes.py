"""Running extremes of daily rainfall on a grid."""
import numpy as np
from mpi4py import MPI


class Extremes:
    def __init__(self, shape):
        self.highest = np.full(shape, -np.inf)
        self.total = np.zeros(shape)
        self.wet_days = np.zeros(shape)
        self.days = 0

    def add(self, field):
        np.maximum(self.highest, field, out=self.highest)
        self.total += field
        self.wet_days += field > 1.0
        self.days += 1

    def combined(self, comm):
        """The extremes over the days of all ranks, the same on every rank."""
        whole = Extremes(self.highest.shape)
        whole.days = comm.allreduce(self.days)
        whole.total = comm.allreduce(self.total)
        whole.wet_days = comm.allreduce(self.wet_days)
        comm.Allreduce(self.highest, whole.highest, op=MPI.MAX)
        return whole
