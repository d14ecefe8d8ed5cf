#!/usr/bin/env python3
"""Lagrangian tracers in a pulsed jet; slabs in z, particles migrate between slabs."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, nproc = comm.rank, comm.size

LZ = 1.0
NBIN = 32
DT = 0.01
NSTEPS = 60
EDGES = np.linspace(0.0, LZ, nproc + 1)
rng = np.random.default_rng(1000 + rank)


def inject(n):
    """The nozzle sits at z = 0, so only the first slab gets new tracers."""
    if rank != 0:
        return np.empty((0, 3))
    p = rng.normal(0.0, 0.02, (n, 3))
    p[:, 2] = rng.uniform(0.0, 0.02, n)
    return p


def velocity(p, t):
    r2 = p[:, 0] ** 2 + p[:, 1] ** 2
    w = 1.5 * np.exp(-r2 / 0.01) * (1.0 + 0.3 * np.sin(20.0 * t))
    v = np.zeros_like(p)
    v[:, 2] = w
    v[:, :2] = 0.2 * p[:, :2]
    return v


def migrate(p):
    owner = np.clip(np.searchsorted(EDGES, p[:, 2], side="right") - 1, 0, nproc - 1)
    parcels = [p[owner == r] for r in range(nproc)]
    return np.concatenate(comm.alltoall(parcels))


def density_profile(p):
    if len(p) == 0:
        return np.zeros(NBIN, dtype=np.int64)
    local, _ = np.histogram(p[:, 2], bins=NBIN, range=(0.0, LZ))
    total = np.zeros(NBIN, dtype=np.int64)
    comm.Allreduce(local.astype(np.int64), total, op=MPI.SUM)
    return total


def mean_spread(p):
    s = np.array([np.sum(p[:, 0] ** 2 + p[:, 1] ** 2), len(p)])
    comm.Allreduce(MPI.IN_PLACE, s)
    return np.sqrt(s[0] / s[1]) if s[1] else 0.0


def main():
    p = np.empty((0, 3))
    for step in range(NSTEPS):
        if step % 5 == 0:
            p = np.concatenate([p, inject(200)])
        p = p + DT * velocity(p, step * DT)
        p = p[p[:, 2] < LZ]
        p = migrate(p)

        if (step + 1) % 10 == 0:
            prof = density_profile(p)
            spread = mean_spread(p)
            counts = comm.gather(len(p), root=0)
            if rank == 0:
                front = np.nonzero(prof)[0].max() + 1
                print(f"step {step + 1:3d}: {prof.sum():5d} tracers, front in bin {front:2d}, "
                      f"spread {spread:.4f}, per slab {counts}", flush=True)


if __name__ == "__main__":
    main()
