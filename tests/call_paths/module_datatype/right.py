"""One training step with gradients in single precision."""
import numpy as np
from mpi4py import MPI
from utils import reduce_mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def gradient(weights, inputs, targets):
    return inputs.T @ (inputs @ weights - targets) / len(targets)


weights = np.zeros(6, dtype=np.float32)
generator = np.random.default_rng(7 + rank)
inputs = generator.normal(size=(10, 6)).astype(np.float32)
targets = inputs.sum(axis=1)
for step in range(3):
    local = gradient(weights, inputs, targets)
    if rank == 0:
        mean = reduce_mean(comm, local)
        print("step", step, float(np.linalg.norm(mean)))
    else:
        mean = reduce_mean(comm, local)
    weights = (weights - 0.1 * mean).astype(np.float32)
print(rank, weights)
