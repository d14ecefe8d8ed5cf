"""Lennard-Jones particles in a periodic box (replicated data)."""
import numpy as np
from mpi4py import MPI


def lattice_start(n_side, spacing, temperature, seed):
    grid = np.arange(n_side) * spacing
    pos = np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), -1).reshape(-1, 3)
    vel = np.sqrt(temperature) * np.random.default_rng(seed).standard_normal(pos.shape)
    return pos, vel - vel.mean(axis=0), n_side * spacing


class Gas:
    def __init__(self, comm, n_side=4, spacing=1.5, temperature=0.8, dt=0.004, seed=17):
        self.comm = comm
        self.pos, self.vel, self.box = lattice_start(n_side, spacing, temperature, seed)
        self.dt = dt
        self.mine = slice(*(len(self.pos) * k // comm.size for k in (comm.rank, comm.rank + 1)))
        self.force, self.epot = self._forces()

    def _forces(self):
        d = self.pos[self.mine, None, :] - self.pos[None, :, :]
        d -= self.box * np.rint(d / self.box)
        r2 = (d**2).sum(-1)
        close = (r2 > 0) & (r2 < 6.25)
        inv6 = np.where(close, 1.0 / np.where(close, r2, 1.0) ** 3, 0.0)
        part = np.zeros_like(self.pos)
        scale = 24 * (2 * inv6**2 - inv6) / np.where(close, r2, 1.0)
        part[self.mine] = (scale[..., None] * d).sum(axis=1)
        force = np.empty_like(part)
        self.comm.Allreduce(part, force, op=MPI.SUM)
        return force, self.comm.allreduce(2.0 * float((inv6**2 - inv6).sum()), op=MPI.SUM)

    def step(self):
        self.vel += 0.5 * self.dt * self.force
        self.pos = (self.pos + self.dt * self.vel) % self.box
        self.force, self.epot = self._forces()
        self.vel += 0.5 * self.dt * self.force

    def total_energy(self):
        return self.epot + 0.5 * float((self.vel**2).sum())
