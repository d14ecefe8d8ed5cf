import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

parts_dir = os.path.join("lightcone", "parts")
os.makedirs(parts_dir, exist_ok=True)


def part_name(r):
    return os.path.join(parts_dir, f"part_{r:04d}.npy")


def halos(r):
    rng = np.random.default_rng(600 + r)
    mass = rng.pareto(1.9, size=200 + 10 * r)
    redshift = rng.uniform(0.0, 2.0, size=mass.size)
    return np.column_stack([mass, redshift])


mine = halos(rank)
np.save(part_name(rank), mine)
names = comm.gather(part_name(rank), root=0)

if rank == 0:
    table = np.concatenate([np.load(name) for name in names])
    order = np.argsort(table[:, 1])
    np.save(os.path.join("lightcone", "all.npy"), table[order])
    print("halos:", len(table), "parts:", len(names))
