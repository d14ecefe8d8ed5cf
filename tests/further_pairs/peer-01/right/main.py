"""Forward pass of a small network with one layer per rank."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
rng = np.random.default_rng(rank)
layer = rng.normal(size=(16, 16)) / 4.0
bias = np.full(16, 0.01 * rank)

for batch in range(5):
    if rank == 0:
        x = np.random.default_rng(1000 + batch).normal(size=(8, 16))
    else:
        x = np.empty((8, 16))
        comm.Recv(x, source=rank - 1, tag=batch)
    x = np.tanh(x @ layer + bias)
    if rank < size - 1:
        comm.Send(x, dest=rank + 1, tag=batch)
    else:
        print(f"batch {batch}: output norm {np.linalg.norm(x):.5f}")
