"""Neighbours exchange the edges of their strips."""
import numpy as np
from mpi4py import MPI
from utils import receive_from, start_send

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
other = 1 - rank
strip = np.linspace(0.0, 1.0, 8) + rank
for step in range(3):
    edge = strip[-2:].copy()
    request = start_send(comm, edge, other)
    halo = receive_from(comm, 2, other)
    request.Wait()
    strip[:2] = 0.5 * (strip[:2] + halo)
print(rank, strip.round(3))
