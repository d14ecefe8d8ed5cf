"""Correlate columns of a distributed table with a target."""
import numpy as np
from mpi4py import MPI
from fitting import correlations

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
table = np.random.default_rng(rank).normal(size=(20, 6))
target = table[:, 0] * 2.0 + table[:, 3]
strength = correlations(comm, table[:, :6], target)
order = np.argsort(-np.abs(strength))
print(rank, order[:2], strength.shape)
