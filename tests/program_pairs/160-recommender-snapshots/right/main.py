"""Matrix factorisation of ratings: users are split over the ranks, items are replicated."""
import os
import sys

import numpy as np
from mpi4py import MPI

from snapshots import SnapshotWriter

N_USERS, N_ITEMS, RANK_K = 1200, 80, 6


def ratings(lo, hi):
    rng = np.random.default_rng(99)
    u = rng.normal(size=(N_USERS, RANK_K))
    v = rng.normal(size=(N_ITEMS, RANK_K))
    full = u @ v.T + 0.1 * rng.normal(size=(N_USERS, N_ITEMS))
    mask = rng.random((N_USERS, N_ITEMS)) < 0.3
    return full[lo:hi], mask[lo:hi]


def train(comm, path, epochs=300, lr=0.02):
    lo = N_USERS * comm.rank // comm.size
    hi = N_USERS * (comm.rank + 1) // comm.size
    r, mask = ratings(lo, hi)
    users = np.random.default_rng(1).normal(0, 0.1, (N_USERS, RANK_K))[lo:hi]
    items = np.random.default_rng(2).normal(0, 0.1, (N_ITEMS, RANK_K))

    writer = SnapshotWriter(comm, path)
    total = np.empty_like(items)
    seen = comm.allreduce(int(mask.sum()))
    for epoch in range(epochs):
        err = (r - users @ items.T) * mask
        grad_items = err.T @ users
        comm.Allreduce(grad_items, total)
        users += lr * err @ items
        items += lr * total / 10.0
        if epoch % 10 == 0:
            writer.submit(epoch, users)
    loss = comm.allreduce(float((err**2).sum()))
    writer.close()
    return np.sqrt(loss / seen)


if __name__ == "__main__":
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        sys.exit("this program needs MPI_THREAD_MULTIPLE")
    world = MPI.COMM_WORLD
    name = "snapshots.jsonl"
    if world.rank == 0 and os.path.exists(name):
        os.remove(name)
    rmse = train(world, name)
    if world.rank == 0:
        with open(name) as log:
            lines = log.readlines()
        print(f"rmse {rmse:.5f}, {len(lines)} snapshots, last {lines[-1].strip()}")
