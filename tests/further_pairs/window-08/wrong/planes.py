import numpy as np
from mpi4py import MPI


def share(planes, rank, size):
    per_rank = -(-planes // size)
    return range(min(rank * per_rank, planes), min((rank + 1) * per_rank, planes))


def read_all(comm, planes, hits):
    """Copy the hits of all planes to rank 0."""
    win = MPI.Win.Create(hits, disp_unit=8, comm=comm)
    table = np.zeros(planes, dtype=np.int64)
    win.Fence()
    if comm.rank == 0:
        for owner in range(comm.size):
            held = share(planes, owner, comm.size)
            if len(held) > 0:
                win.Get(table[held.start : held.stop], owner)
    win.Fence()
    win.Free()
    return table
