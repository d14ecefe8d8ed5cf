"""Let parcels drift through the slabs and check that no water is lost."""
from __future__ import annotations

import logging

from mpi4py import MPI

from domain import Slab
from migrate import Migrator
from parcels import ParcelSet


def simulate(comm: MPI.Comm, steps: int, dt: float) -> ParcelSet:
    slab = Slab(comm.rank, comm.size)
    parcels = ParcelSet.seeded(slab, count=400 + 150 * comm.rank)
    migrator = Migrator(comm, slab.neighbours)
    for _ in range(steps):
        parcels.drift(dt, slab.length)
        parcels.extend(migrator.exchange(parcels.split(slab)))
    return parcels


def main() -> int:
    logging.basicConfig(level=logging.WARNING)
    comm = MPI.COMM_WORLD
    expected = sum(400 + 150 * r for r in range(comm.size))
    parcels = simulate(comm, steps=12, dt=0.5)
    water = comm.allreduce(parcels.water)
    if comm.rank == 0:
        print(f"water {water:.1f} of {expected:.1f}")
    return 0 if abs(water - expected) < 1e-9 else 1


if __name__ == "__main__":
    raise SystemExit(main())
