"""Gradient descent until the loss is small."""
import numpy as np
from mpi4py import MPI
from utils import reduce_mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
target = np.full(4, 1.0 + rank)
weights = np.full(4, 1.0)
for step in range(50):
    loss = float(np.mean((weights - target) ** 2))
    everyone = float(reduce_mean(comm, np.array([loss]))[0])
    if everyone < 0.3:
        break
    weights -= 0.2 * reduce_mean(comm, weights - target)
print(rank, step, weights)
