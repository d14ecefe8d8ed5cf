import numpy as np
from mpi4py import MPI


class Ensemble:
    """Neighbouring ranks form a group; the group's first rank gets its mean."""

    def __init__(self, comm, members_per_group):
        self.comm = comm
        self.group = comm.rank // members_per_group
        self.leader = self.group * members_per_group
        self.state = np.random.default_rng(comm.rank).normal(size=10)
        self.local = comm.Split(self.group, comm.rank)

    def forecast(self, day):
        self.state = 0.9 * self.state + 0.1 * np.sin(day + self.state)

    def group_mean(self):
        total = np.zeros_like(self.state)
        self.comm.Reduce(self.state, total, op=MPI.SUM, root=self.leader)
        if self.comm.rank != self.leader:
            return None
        return total / self.local.size

    def close(self):
        self.local.Free()
