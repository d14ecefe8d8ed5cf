"""A step with gradients clipped to a common length."""
import numpy as np
from mpi4py import MPI
from backend import Backend

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
backend = Backend(comm)
gradient = np.random.default_rng(rank).normal(size=5)
summed = backend.sum(gradient)
length = np.array([np.linalg.norm(gradient)])
longest = backend.max(length) if length[0] > 1.6 else backend.min(length)  # change
print(rank, (summed / longest[0]).round(3))
