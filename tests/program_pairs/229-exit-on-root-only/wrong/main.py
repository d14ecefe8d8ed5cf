import argparse
import os
import sys

import numpy as np
from mpi4py import MPI


def parse_args():
    p = argparse.ArgumentParser(description="Histogram of a distributed sample")
    p.add_argument("--edges", default="edges.txt")
    p.add_argument("--samples", type=int, default=5000)
    return p.parse_args()


def load_edges(path):
    if not os.path.exists(path):
        return None
    return np.loadtxt(path)


def local_histogram(rank, n, edges):
    rng = np.random.default_rng(rank)
    h, _ = np.histogram(rng.uniform(0, 1, n), bins=edges)
    return h.astype("i8")


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    args = parse_args()

    edges = None
    if rank == 0:
        edges = load_edges(args.edges)
        if edges is None:
            print(f"no bin edges in {args.edges}, giving up", file=sys.stderr)
            sys.exit(0)

    edges = comm.bcast(edges, root=0)

    mine = local_histogram(rank, args.samples, edges)
    total = np.zeros_like(mine)
    comm.Reduce(mine, total, op=MPI.SUM, root=0)
    if rank == 0:
        for lo, hi, c in zip(edges[:-1], edges[1:], total):
            print(f"{lo:5.2f} .. {hi:5.2f}  {c}")


if __name__ == "__main__":
    main()
