"""Rank 0 collects one tally per rank."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
BASE = 100

rng = np.random.default_rng(rank)
tally = np.histogram(rng.normal(size=5000), bins=12, range=(-3.0, 3.0))[0]

if rank != 0:
    comm.Send(tally, dest=0, tag=BASE + rank)
else:
    part = np.empty_like(tally)
    for source in range(1, comm.size):
        comm.Recv(part, source=source, tag=BASE + rank)
        tally += part
    print("entries", int(tally.sum()))
    for low, n in zip(np.linspace(-3.0, 2.5, 12), tally):
        print(f"{low:5.2f} {int(n)}")
