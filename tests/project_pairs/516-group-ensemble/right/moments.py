import math

import numpy as np
from mpi4py import MPI


class EnsembleStats:
    """First two moments of the ensemble."""

    def __init__(self, team):
        self.team = team
        self.sums = np.zeros(3)

    def add(self, value):
        if self.team.is_leader:
            self.sums += (1.0, value, value * value)

    def totals(self):
        out = np.zeros_like(self.sums)
        self.team.world.Allreduce(self.sums, out, op=MPI.SUM)
        return out

    def summary(self):
        n, s1, s2 = self.totals()
        mean = s1 / n
        var = max(s2 / n - mean * mean, 0.0)
        return {"members": int(n), "mean": mean, "std": math.sqrt(var),
                "stderr": math.sqrt(var / n)}
