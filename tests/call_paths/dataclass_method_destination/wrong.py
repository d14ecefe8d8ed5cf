"""Sweep from the first rank to the last one."""
import numpy as np
from mpi4py import MPI
from grid import Grid


def sweep(grid):
    rank, size = grid.comm.Get_rank(), grid.comm.Get_size()
    if rank > 0:
        grid.receive_edge(rank - 1)
    grid.values[1:] += 0.5 * grid.values[:-1]
    if rank < size - 1:
        grid.send_edge(size - 1)  # change


comm = MPI.COMM_WORLD
grid = Grid(comm, np.ones(4) + comm.Get_rank())
sweep(grid)
sweep(grid)
print(comm.Get_rank(), grid.values)
