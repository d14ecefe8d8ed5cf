#!/usr/bin/env python3
"""Bucket sort for data that does not fit in memory: buckets go through files."""
import shutil
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

EXCHANGE = Path("exchange")
KEYS_PER_RANK = 800_000


def generate(rank):
    rng = np.random.default_rng(31 + rank)
    return rng.beta(4.0, 1.5, size=KEYS_PER_RANK)


def choose_splitters(size):
    """The keys lie in (0, 1); every rank gets an interval of the same width."""
    return np.linspace(0.0, 1.0, size + 1)[1:-1]


def spill(rank, keys, splitters):
    which = np.searchsorted(splitters, keys, side="right")
    for bucket in range(len(splitters) + 1):
        np.save(EXCHANGE / f"from{rank}_to{bucket}.npy", keys[which == bucket])


def collect(rank, size):
    parts = []
    for src in range(size):
        part = np.load(EXCHANGE / f"from{src}_to{rank}.npy")
        parts.append(np.sort(part))
    return np.sort(np.concatenate(parts), kind="stable")


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    if rank == 0:
        EXCHANGE.mkdir(exist_ok=True)
    comm.Barrier()

    keys = generate(rank)
    splitters = choose_splitters(size)
    spill(rank, keys, splitters)
    comm.Barrier()
    bucket = collect(rank, size)

    if rank == 0:
        shutil.rmtree(EXCHANGE)

    np.save(f"sorted_{rank:03d}.npy", bucket)
    edges = comm.gather((bucket[0], bucket[-1], len(bucket)), root=0)
    if rank == 0:
        ordered = all(edges[r][1] <= edges[r + 1][0] for r in range(size - 1))
        count = sum(e[2] for e in edges)
        print(f"{count} keys, ordered: {ordered}, bucket sizes {[e[2] for e in edges]}")
        if not ordered or count != size * KEYS_PER_RANK:
            sys.exit(1)


if __name__ == "__main__":
    main()
