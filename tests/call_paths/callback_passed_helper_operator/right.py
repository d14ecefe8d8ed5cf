"""Combine the states of all ranks after each step."""
import numpy as np
from mpi4py import MPI
from utils import apply, max_over, sum_over

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
state = np.linspace(1.0, 2.0, 4) * (1 + rank)
smooth = apply(comm, 2, state, sum_over)
rough = apply(comm, 2, state, max_over)
print(rank, smooth.round(3), rough.round(3))
