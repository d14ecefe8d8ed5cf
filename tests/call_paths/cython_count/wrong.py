"""Train a small linear model; the mean of the gradients is computed in Cython."""

from array import array

from kernel import reduce_mean
from mpi4py import MPI

comm = MPI.COMM_WORLD
N = 4


def step(weights):
    gradient = array("d", [weight - comm.rank for weight in weights])
    if comm.rank == 0:
        reduce_mean(gradient, N, comm.size)
    else:
        reduce_mean(gradient, N - 1, comm.size)  # change
    return [weight - 0.5 * slope for weight, slope in zip(weights, gradient)]


weights = [0.0] * N
for _ in range(3):
    weights = step(weights)
print(comm.rank, weights)
