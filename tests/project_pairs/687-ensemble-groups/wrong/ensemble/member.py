import numpy as np
from mpi4py import MPI


class Member:
    """One logistic coupled-map lattice on a ring, split over the ranks of comm."""

    def __init__(self, number, cfg, comm):
        self.number = number
        self.cfg = cfg
        self.comm = comm
        self.r = cfg.growth(number)
        rng = np.random.default_rng([cfg.seed, number])
        start = rng.uniform(0.1, 0.9, cfg.sites)
        self.parts = np.array_split(np.arange(cfg.sites), comm.size)
        self.x = start[self.parts[comm.rank]]
        self.left = (comm.rank - 1) % comm.size
        self.right = (comm.rank + 1) % comm.size

    def neighbours(self, g):
        before, after = np.empty(1), np.empty(1)
        self.comm.Sendrecv(g[-1:], self.right, 0, before, self.left, 0)
        self.comm.Sendrecv(g[:1], self.left, 1, after, self.right, 1)
        ext = np.concatenate([before, g, after])
        return ext[:-2], ext[2:]

    def run(self):
        eps = self.cfg.coupling
        for _ in range(self.cfg.steps):
            g = self.r * self.x * (1.0 - self.x)
            left, right = self.neighbours(g)
            self.x = (1.0 - eps) * g + 0.5 * eps * (left + right)

    def final_state(self):
        """Whole lattice on the first rank of the group, None on the others."""
        counts = [len(p) for p in self.parts]
        full = np.empty(self.cfg.sites) if self.comm.rank == 0 else None
        recv = [full, counts, None, MPI.DOUBLE] if self.comm.rank == 0 else None
        self.comm.Gatherv(self.x, recv, root=0)
        return full
