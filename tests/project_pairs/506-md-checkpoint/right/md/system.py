"""Lennard-Jones particles, replicated positions, pair forces split by particle."""
import numpy as np
from mpi4py import MPI


class System:
    def __init__(self, comm, cells, spacing, temperature, seed):
        self.comm = comm
        grid = np.arange(cells) * spacing
        self.x = np.array(np.meshgrid(grid, grid, grid)).reshape(3, -1).T.copy()
        self.n = len(self.x)
        self.box = cells * spacing
        rng = np.random.default_rng(seed)
        self.v = rng.normal(0.0, np.sqrt(temperature), self.x.shape)
        self.v -= self.v.mean(axis=0)
        self.step = 0
        cuts = [self.n * r // comm.size for r in range(comm.size + 1)]
        self.lo, self.hi = cuts[comm.rank], cuts[comm.rank + 1]

    def forces(self):
        f = np.zeros_like(self.x)
        energy = 0.0
        for i in range(self.lo, self.hi):
            d = self.x[i] - self.x
            d -= self.box * np.round(d / self.box)
            r2 = (d * d).sum(axis=1)
            r2[i] = np.inf
            inv6 = np.where(r2 < 0.25 * self.box ** 2, r2, np.inf) ** -3
            f[i] = ((48.0 * inv6 * (inv6 - 0.5) / r2)[:, None] * d).sum(axis=0)
            energy += 2.0 * (inv6 * inv6 - inv6).sum()
        total = np.empty_like(f)
        self.comm.Allreduce(f, total, op=MPI.SUM)
        return total, self.comm.allreduce(energy, op=MPI.SUM)

    def kinetic(self):
        return 0.5 * float((self.v * self.v).sum())

    def state(self):
        return {"x": self.x, "v": self.v, "step": self.step}

    def restore(self, state):
        self.x[:] = state["x"]
        self.v[:] = state["v"]
        self.step = int(state["step"])
