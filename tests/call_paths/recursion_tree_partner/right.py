"""Sum over the ranks along a binary tree."""
import numpy as np
from mpi4py import MPI
from utils import receive_from, send_to


def tree_sum(comm, x, distance=1):
    rank, size = comm.Get_rank(), comm.Get_size()
    if distance >= size:
        return x
    if rank % (2 * distance):
        send_to(comm, x, rank - distance)
        return None
    other = receive_from(comm, x, rank + distance)
    return tree_sum(comm, x + other, 2 * distance)


comm = MPI.COMM_WORLD
total = tree_sum(comm, np.arange(3.0) + comm.Get_rank())
if comm.Get_rank() == 0:
    print(total)
