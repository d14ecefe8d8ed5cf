"""Train a small linear model; every rank has its own share of the samples."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def reduce_mean(comm, x):
    out = np.empty_like(x)
    comm.Allreduce(x, out, op=MPI.SUM)
    return out / comm.Get_size()


def train(weights, inputs, targets):
    for _ in range(3):
        error = inputs @ weights - targets
        gradient = inputs.T @ error / len(error)
        if rank == 0:
            weights -= 0.1 * reduce_mean(comm, gradient)
        else:
            weights -= 0.1 * reduce_mean(comm, gradient)
    return weights


generator = np.random.default_rng(rank)
inputs = generator.normal(size=(8, 4))
targets = inputs @ np.arange(4.0)
print(rank, train(np.zeros(4), inputs, targets))
