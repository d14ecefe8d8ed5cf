#!/usr/bin/env python
"""Replicated-data Lennard-Jones molecular dynamics (reduced units)."""
import argparse
from mpi4py import MPI
import numpy as np


class LJSystem:
    def __init__(self, comm, ncell=4, density=0.8, t_init=1.2, seed=7):
        self.comm = comm
        self.n = ncell ** 3
        self.box = (self.n / density) ** (1.0 / 3.0)
        # every rank builds the same start configuration
        rng = np.random.default_rng(seed)
        g = (np.arange(ncell) + 0.5) * self.box / ncell
        self.x = np.array(np.meshgrid(g, g, g)).reshape(3, -1).T.copy()
        v = rng.normal(0.0, np.sqrt(t_init), (self.n, 3))
        v -= v.mean(axis=0)

        counts = [len(c) for c in np.array_split(np.arange(self.n), comm.size)]
        self.lo = sum(counts[:comm.rank])
        self.hi = self.lo + counts[comm.rank]
        self.counts = [3 * c for c in counts]
        self.v = v[self.lo:self.hi].copy()
        self.f, self._pe_local = self._forces()

    def _forces(self):
        d = self.x[self.lo:self.hi, None, :] - self.x[None, :, :]
        d -= self.box * np.rint(d / self.box)
        r2 = (d ** 2).sum(axis=-1)
        own = np.arange(self.lo, self.hi)
        r2[np.arange(len(own)), own] = np.inf
        i6 = 1.0 / r2 ** 3
        f = ((48.0 * i6 * i6 - 24.0 * i6) / r2)[..., None] * d
        return f.sum(axis=1), 2.0 * (i6 * i6 - i6).sum()

    @property
    def local_ke(self):
        return 0.5 * (self.v ** 2).sum()

    @property
    def temperature(self):
        return 2.0 * self.comm.allreduce(self.local_ke) / (3.0 * (self.n - 1))

    @property
    def volume(self):
        return self.box ** 3

    def total_energy(self):
        return self.comm.allreduce(self.local_ke + self._pe_local)

    def step(self, dt):
        self.v += 0.5 * dt * self.f
        mine = (self.x[self.lo:self.hi] + dt * self.v) % self.box
        self.comm.Allgatherv(mine, [self.x, self.counts])
        self.f, self._pe_local = self._forces()
        self.v += 0.5 * dt * self.f


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--dt", type=float, default=0.004)
    p.add_argument("--log-every", type=int, default=20)
    args = p.parse_args()

    comm = MPI.COMM_WORLD
    sim = LJSystem(comm)
    e0 = sim.total_energy()
    if comm.rank == 0:
        print(f"N = {sim.n}  V = {sim.volume:.2f}  E0 = {e0:.5f}", flush=True)

    for i in range(1, args.steps + 1):
        sim.step(args.dt)
        if i % args.log_every == 0:
            energy = sim.total_energy()
            temperature = sim.temperature
            if comm.rank == 0:
                print(f"{i:6d}  E = {energy:12.5f}  T = {temperature:8.4f}", flush=True)

    drift = abs(sim.total_energy() - e0)
    if comm.rank == 0:
        print(f"energy drift {drift:.3e} after {args.steps} steps")


if __name__ == "__main__":
    main()
