"""Minimise the mean of the functions of all ranks."""
import numpy as np
from mpi4py import MPI
from optimiser import minimise
from utils import reduce_mean

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
target = np.arange(3.0) + rank


def objective(x):
    value = reduce_mean(comm, float((x - target) @ (x - target)))
    return value, reduce_mean(comm, 2.0 * (x - target))


def watch(step, value):
    mean = reduce_mean(comm, target)
    if rank == 0 and step % 2 == 0:
        print(step, value, mean)


print(rank, minimise(objective, np.zeros(3), 4, 0.2, watch))
