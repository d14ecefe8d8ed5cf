"""Largest error of each component."""
import numpy as np
from mpi4py import MPI
from utils import reduce_max

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
solution = np.random.default_rng(rank).normal(size=(4, 10))
exact = np.zeros(10)
components = [part - exact for part in solution]
boundary = [] if rank else [solution[0, :1]]
errors = [reduce_max(comm, part) for part in components + boundary]  # change
mean = comm.allgather(sum(errors) / len(errors))
print(rank, np.round(mean, 3))
