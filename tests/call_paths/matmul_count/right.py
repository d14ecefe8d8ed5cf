"""Normal equations with a column left out on request."""
import numpy as np
from mpi4py import MPI
from matrix import RowMatrix

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
table = np.random.default_rng(rank).normal(size=(9, 4))
if rank == 1:
    table[:, 0] = 1.0
a = RowMatrix(comm, table)
y = table @ np.arange(4.0)
skip = int(np.ptp(table[:, 0]) == 0.0)
everyone = comm.allreduce(skip)
right_side = a[:, min(everyone, 1) :] @ y
print(rank, skip, right_side.round(3))
