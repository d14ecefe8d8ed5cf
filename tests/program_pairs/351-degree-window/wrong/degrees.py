# in-degrees of a random directed graph; the vertices are block distributed and
# every rank owns the out-edges of its vertices
import sys
from collections import Counter

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

n_per_rank = int(sys.argv[1]) if len(sys.argv) > 1 else 500
n = n_per_rank * size


def my_edges():
    """Preferential-looking edges: low vertex numbers are hit more often."""
    rng = np.random.default_rng(rank)
    for v in range(rank * n_per_rank, (rank + 1) * n_per_rank):
        for t in (n * rng.random(5) ** 2).astype(int):
            yield v, int(t)


degree = np.zeros(n_per_rank, dtype="i8")
win = MPI.Win.Create(degree, comm=comm)

counts = Counter(t for _, t in my_edges())
vals = {t: np.array([c], dtype="i8") for t, c in counts.items()}

win.Fence()
for t, c in vals.items():
    owner, local = divmod(t, n_per_rank)
    win.Accumulate(c, owner, target=local, op=MPI.SUM)
win.Fence()

n_edges = comm.allreduce(sum(counts.values()))
sum_deg = comm.allreduce(int(degree.sum()))
top = comm.allreduce((int(degree.max()), rank * n_per_rank + int(degree.argmax())), op=MPI.MAX)
win.Free()

if rank == 0:
    print("vertices       ", n)
    print("edges          ", n_edges)
    print("sum of degrees ", sum_deg)
    print("largest degree  %d at vertex %d" % top)
    if n_edges != sum_deg:
        sys.exit("degrees do not add up")
