"""Parallel odd-even transposition sort of random keys."""
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def partner_of(phase):
    if phase % 2 == 0:
        other = rank + 1 if rank % 2 == 0 else rank - 1
    else:
        other = rank - 1 if rank % 2 == 0 else rank + 1
    return other if 0 <= other < size else None


def keep_low(mine, other, phase):
    comm.Send(mine, dest=other, tag=phase)
    theirs = np.empty_like(mine)
    comm.Recv(theirs, source=other, tag=phase)
    return np.sort(np.concatenate((mine, theirs)))[:len(mine)]


def keep_high(mine, other, phase):
    theirs = np.empty_like(mine)
    comm.Recv(theirs, source=other, tag=phase)
    comm.Send(mine, dest=other, tag=phase)
    return np.sort(np.concatenate((mine, theirs)))[len(mine):]


def sort(keys):
    keys = np.sort(keys)
    for phase in range(size):
        other = partner_of(phase)
        if other is None:
            continue
        if rank < other:
            keys = keep_low(keys, other, phase)
        else:
            keys = keep_high(keys, other, phase + 1)
    return keys


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(17 + rank)
    keys = rng.integers(0, 10 ** 6, size=n)
    checksum = comm.allreduce(int(keys.sum()))
    keys = sort(keys)

    everything = np.empty(n * size, dtype=keys.dtype) if rank == 0 else None
    comm.Gather(keys, everything, root=0)
    if rank == 0:
        assert everything.sum() == checksum
        print("sorted:", bool(np.all(np.diff(everything) >= 0)))
        print("smallest", everything[0], "largest", everything[-1])


main()
