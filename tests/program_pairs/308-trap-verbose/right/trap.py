"""Ions in a harmonic trap; the ions are divided among the processes."""
import numpy as np
from mpi4py import MPI


class IonCloud:
    def __init__(self, comm, n):
        self.comm = comm
        rng = np.random.default_rng(11)
        everywhere = rng.normal(size=(n, 3))
        self.mine = slice(n * comm.rank // comm.size, n * (comm.rank + 1) // comm.size)
        self.x = everywhere[self.mine].copy()
        self.v = np.zeros_like(self.x)
        self.a = self.acceleration()

    def all_positions(self):
        return np.vstack(self.comm.allgather(self.x))

    def acceleration(self):
        others = self.all_positions()
        d = self.x[:, None, :] - others[None, :, :]
        r2 = (d ** 2).sum(-1) + 1e-2
        return -self.x + 0.05 * (d / r2[..., None] ** 1.5).sum(1)

    def leapfrog(self, dt):
        self.v += 0.5 * dt * self.a
        self.x += dt * self.v
        self.a = self.acceleration()
        self.v += 0.5 * dt * self.a

    def energy(self):
        others = self.all_positions()
        d = self.x[:, None, :] - others[None, :, :]
        r = np.sqrt((d ** 2).sum(-1) + 1e-2)
        own = 0.5 * (self.v ** 2).sum() + 0.5 * (self.x ** 2).sum() + 0.025 * (1 / r).sum()
        return self.comm.allreduce(own, op=MPI.SUM)
