"""Diagnostics of a simulation after each step."""
import numpy as np
from mpi4py import MPI
from utils import reduce_scalar

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
density = np.random.default_rng(rank).uniform(1.0, 2.0, size=40)
for step in range(4):
    mass = reduce_scalar(comm, density.sum())
    cells = reduce_scalar(comm, density.size)
    lowest = reduce_scalar(comm, density.min(), MPI.MIN)
    highest = reduce_scalar(comm, density.max(), MPI.MAX)
    spread = reduce_scalar(comm, density.std()) / comm.Get_size()
    density += 0.1 * (mass / cells - density)
    print(rank, step, round(lowest, 3), round(highest, 3), round(spread, 3))
