"""Lennard-Jones argon with replicated positions and split pair loop.

Stop a long run cleanly with

    touch STOP
"""
import os

import numpy as np
from mpi4py import MPI


class Argon:
    def __init__(self, comm, cells=5, density=0.8, temperature=0.9):
        self.comm = comm
        n = cells**3
        self.box = (n / density) ** (1 / 3)
        grid = (np.arange(cells) + 0.5) * self.box / cells
        self.x = np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3)
        rng = np.random.default_rng(1)
        self.v = rng.normal(0, np.sqrt(temperature), self.x.shape)
        self.v -= self.v.mean(axis=0)
        lo = n * comm.rank // comm.size
        hi = n * (comm.rank + 1) // comm.size
        self.mine = slice(lo, hi)
        self.f = np.zeros_like(self.x)
        self.forces()

    def forces(self):
        d = self.x[self.mine, None, :] - self.x[None, :, :]
        d -= self.box * np.round(d / self.box)
        r2 = np.einsum("ijk,ijk->ij", d, d)
        r2[r2 == 0] = np.inf
        r2[r2 > 6.25] = np.inf
        s6 = 1.0 / r2**3
        part = np.zeros_like(self.x)
        part[self.mine] = np.einsum("ij,ijk->ik", (48 * s6 * s6 - 24 * s6) / r2, d)
        self.comm.Allreduce(part, self.f)
        self.potential = self.comm.allreduce(2 * float((s6 * s6 - s6).sum()))

    def step(self, dt=0.004):
        self.v += 0.5 * dt * self.f
        self.x = (self.x + dt * self.v) % self.box
        self.forces()
        self.v += 0.5 * dt * self.f

    def energy(self):
        return self.potential + 0.5 * float((self.v**2).sum())


def stop_requested(comm, path="STOP"):
    found = False
    if comm.rank == 0 and os.path.exists(path):
        os.remove(path)
        found = True
    return comm.bcast(found, root=0)
