"""Halo exchange between two halves of a rod."""
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to, swap_with

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
other = 1 - rank
rod = np.linspace(rank, rank + 1.0, 10)
for _ in range(5):
    edge = rod[-1:] if rank == 0 else rod[:1]
    halo = swap_with(comm, edge, other)
    padded = np.concatenate([rod[:1], rod, halo] if rank == 0 else [halo, rod, rod[-1:]])
    rod = rod + 0.25 * (padded[2:] - 2.0 * rod + padded[:-2])
print(rank, rod.round(3))
