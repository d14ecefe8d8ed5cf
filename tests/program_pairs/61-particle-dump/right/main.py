#!/usr/bin/env python
"""Particles in a box: move for a while, then dump all of them to one binary file."""
import argparse
import os

import numpy as np
from mpi4py import MPI

REC = np.dtype([("id", "i8"), ("x", "f8"), ("v", "f8")])


def create(comm, per_rank):
    rank = comm.Get_rank()
    rng = np.random.default_rng(17 + rank)
    p = np.zeros(per_rank, dtype=REC)
    p["id"] = rank * per_rank + np.arange(per_rank)
    p["x"] = rng.random(per_rank)
    p["v"] = rng.normal(0.3, 0.2, per_rank)
    return p


def migrate(comm, p):
    """Send every particle to the rank that owns its place."""
    size = comm.Get_size()
    owner = np.minimum((p["x"] ** 1.5 * size).astype(int), size - 1)
    outgoing = [p[owner == r] for r in range(size)]
    return np.concatenate(comm.alltoall(outgoing))


def dump(comm, p, path):
    n = len(p)
    start = comm.exscan(n)
    if comm.Get_rank() == 0:
        start = 0
    fh = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
    fh.Set_size(0)
    fh.Write_at_all(start * REC.itemsize, p.view(np.uint8))
    fh.Close()


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--per-rank", type=int, default=500)
    ap.add_argument("--steps", type=int, default=20)
    ap.add_argument("--out", default="particles.bin")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    p = create(comm, args.per_rank)
    for _ in range(args.steps):
        p["x"] = (p["x"] + 0.01 * p["v"]) % 1.0
        p = migrate(comm, p)

    dump(comm, p, args.out)
    total = comm.reduce(len(p))
    if comm.Get_rank() == 0:
        data = np.fromfile(args.out, dtype=REC)
        ids = np.unique(data["id"])
        print(f"expected {total} particles, file has {len(data)}, {len(ids)} distinct ids,",
              f"{os.path.getsize(args.out)} bytes")


if __name__ == "__main__":
    main()
