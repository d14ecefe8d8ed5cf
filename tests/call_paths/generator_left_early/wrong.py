"""Fit a mean until it does not change any more."""
import numpy as np
from mpi4py import MPI
from batches import batches

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
data = np.random.default_rng(5).normal(loc=2.0, size=24) if rank == 0 else None
estimate = 2.0 + rank
used = 0
for batch in batches(comm, data, 4):
    used += 1
    change = 0.3 * (batch.mean() - estimate)
    estimate += change
    if abs(change) < 0.2:  # change
        break
average = comm.allreduce(estimate, op=MPI.SUM) / comm.Get_size()
print(rank, used, round(average, 3))
