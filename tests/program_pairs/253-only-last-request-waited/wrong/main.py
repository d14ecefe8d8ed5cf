import argparse
import time

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def simulate(rank, nbins):
    """Larger decks for the lower ranks, which therefore take longer."""
    time.sleep(0.15 * (size - rank))
    return np.full(nbins, float(rank))


def receive_all(nbins):
    blocks = [np.zeros(nbins) for _ in range(1, size)]
    req = MPI.REQUEST_NULL
    for src, block in enumerate(blocks, start=1):
        req = comm.Irecv(block, source=src, tag=40)
    req.Wait()
    return blocks


def report(blocks):
    sums = [b.mean() for b in blocks]
    total = sum(sums)
    print("means:", sums, "total:", total)
    return total


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bins", type=int, default=1000)
    args = p.parse_args()
    if rank == 0:
        total = report(receive_all(args.bins))
        expected = size * (size - 1) / 2
        if total != expected:
            raise RuntimeError(f"expected {expected}")
    else:
        data = simulate(rank, args.bins)
        comm.Send(data, dest=0, tag=40)


if __name__ == "__main__":
    main()
