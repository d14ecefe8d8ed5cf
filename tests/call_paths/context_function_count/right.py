"""A histogram over the events of all ranks."""
import numpy as np
from mpi4py import MPI
from accumulate import accumulated

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
events = np.random.default_rng(rank).poisson(3.0, size=200)
highest = comm.allreduce(int(events.max()), op=MPI.MAX)
with accumulated(comm, highest + 1) as bins:
    for event in events:
        bins[event] += 1
print(rank, highest, bins)
