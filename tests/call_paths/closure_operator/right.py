"""Worst and total residual of a distributed system."""
import numpy as np
from mpi4py import MPI
from utils import make_reducer

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
total = make_reducer(comm, MPI.SUM)
worst = make_reducer(comm, MPI.MAX)

residual = np.array([0.5, 0.25, 0.125]) / (1 + rank)
for _ in range(2):
    residual = 0.5 * residual
    size = total(residual**2) ** 0.5
    peak = worst(residual)
print(rank, size.round(4), peak.round(4))
