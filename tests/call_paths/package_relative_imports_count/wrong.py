"""Relax towards the mean of all ranks."""
import numpy as np
from mpi4py import MPI
from solver import norm, relax

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
state = np.linspace(0.0, 1.0, 7) + rank
for step in range(3):
    state = relax(comm, state if step < 2 else state[: 7 - rank], 0.5)  # change
    print(rank, step, round(norm(comm, state), 4))
