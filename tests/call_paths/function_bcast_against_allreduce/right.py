"""The step length is agreed upon before the iteration."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def share(comm, x, root=0):
    x = np.array(x)
    comm.Bcast(x, root=root)
    return x


def reduce_mean(comm, x):
    out = np.empty_like(x)
    comm.Allreduce(x, out, op=MPI.SUM)
    return out / comm.Get_size()


def agree(estimate):
    if rank == 0:
        return reduce_mean(comm, estimate)
    return reduce_mean(comm, estimate)


estimate = np.array([0.1 * (rank + 1)])
length = agree(estimate)
position = np.zeros(5)
for _ in range(3):
    position += reduce_mean(comm, length * np.ones(5))
print(rank, length, position)
