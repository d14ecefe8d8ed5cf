"""Parallel odd-even transposition sort."""

import numpy as np
from mpi4py import MPI

from merge import keep_high, keep_low

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

rng = np.random.default_rng(7 + rank)
block = np.sort(rng.integers(0, 1000, size=40))

for phase in range(size):
    if (phase + rank) % 2 == 0:
        partner = rank + 1
    else:
        partner = rank - 1
    if partner < 0 or partner >= size:
        continue
    other = np.empty_like(block)
    if rank < partner:
        comm.Send(block, dest=partner, tag=phase)
        comm.Recv(other, source=partner, tag=phase)
    else:
        comm.Recv(other, source=partner, tag=phase)
        comm.Send(block, dest=partner, tag=phase)
    block = keep_low(block, other) if rank < partner else keep_high(block, other)

blocks = comm.gather(block, root=0)
if rank == 0:
    whole = np.concatenate(blocks)
    print("sorted:", bool(np.all(whole[1:] >= whole[:-1])), "length:", whole.size)
