import numpy as np
from mpi4py import MPI


class Cluster:
    """Self-gravitating bodies; every rank owns a contiguous slice."""

    EPS2 = 1e-2

    def __init__(self, comm, n_total, seed):
        self.comm = comm
        rng = np.random.default_rng(seed)
        pos = rng.normal(size=(n_total, 3))
        vel = 0.1 * rng.normal(size=(n_total, 3))
        cuts = np.linspace(0, n_total, comm.size + 1).astype(int)
        lo, hi = cuts[comm.rank], cuts[comm.rank + 1]
        self.first = lo
        self.pos, self.vel = pos[lo:hi].copy(), vel[lo:hi].copy()
        self.mass = 1.0 / n_total

    def everyone(self):
        return np.concatenate(self.comm.allgather(self.pos))

    def advance(self, dt):
        allpos = self.everyone()
        d = allpos[None, :, :] - self.pos[:, None, :]
        r2 = (d ** 2).sum(-1) + self.EPS2
        acc = (self.mass * d / r2[..., None] ** 1.5).sum(axis=1)
        self.vel += dt * acc
        self.pos += dt * self.vel

    def total_energy(self):
        kin = 0.5 * self.mass * float((self.vel ** 2).sum())
        return self.comm.allreduce(kin, op=MPI.SUM)
