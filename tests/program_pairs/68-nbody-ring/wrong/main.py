#!/usr/bin/env python3
"""Gravitational accelerations by passing blocks of bodies around a ring."""
import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

BODIES = int(os.environ.get("BODIES", "1200"))
SOFT = 1e-3


def block(r):
    rng = np.random.default_rng(r)
    n = BODIES // size
    b = rng.random((n, 4))
    b[:, 3] = 1.0 / BODIES
    return b


def accumulate(acc, targets, sources):
    d = sources[None, :, :3] - targets[:, None, :3]
    r2 = (d * d).sum(axis=2) + SOFT
    acc += (sources[None, :, 3, None] * d / r2[..., None] ** 1.5).sum(axis=1)


def shift(travelling, scratch):
    nxt, prv = (rank + 1) % size, (rank - 1) % size
    comm.Send(travelling, dest=nxt)
    comm.Recv(scratch, source=prv)
    return scratch, travelling


mine = block(rank)
acc = np.zeros((len(mine), 3))
travelling, scratch = mine.copy(), np.empty_like(mine)

t0 = MPI.Wtime()
for hop in range(size):
    accumulate(acc, mine, travelling)
    if hop < size - 1:
        travelling, scratch = shift(travelling, scratch)
elapsed = MPI.Wtime() - t0

net = (mine[:, 3, None] * acc).sum(axis=0)
net = comm.allreduce(net)
slowest = comm.reduce(elapsed, op=MPI.MAX, root=0)
if rank == 0:
    print(f"net force {np.abs(net).max():.2e} (should vanish), {slowest:.3f} s")
