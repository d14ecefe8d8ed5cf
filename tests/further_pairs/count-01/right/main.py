import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
MAX_DEGREE = 40

# a random graph: every rank owns the nodes of one block
rng = np.random.default_rng(11 + rank)
degree = np.minimum(rng.poisson(4 + 3 * rank, size=300), MAX_DEGREE)

local = np.bincount(degree, minlength=MAX_DEGREE + 1)
histogram = np.zeros_like(local)
comm.Allreduce(local, histogram, op=MPI.SUM)

n_nodes = int(histogram.sum())
mean = float(np.arange(histogram.size) @ histogram) / n_nodes
if rank == 0:
    print(f"{n_nodes} nodes, mean degree {mean:.4f}")
    for d in np.flatnonzero(histogram)[:5]:
        print(int(d), int(histogram[d]))
