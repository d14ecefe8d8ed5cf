"""Degree distribution of a random geometric graph, points dealt out to the ranks."""
import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
RANK = comm.Get_rank()
SIZE = comm.Get_size()
WRITER = SIZE - 1          # rank 0 runs on the login node, its disk is slow

NPOINTS = 1500
RADIUS = 0.05
MAXDEG = 64


def make_points():
    points = None
    if RANK == 0:
        points = np.random.default_rng(77).random((NPOINTS, 2))
    return comm.bcast(points, root=0)


def degrees(points, mine):
    out = np.empty(len(mine), dtype=np.int64)
    for k, i in enumerate(mine):
        d = np.abs(points - points[i])
        d = np.minimum(d, 1.0 - d)
        out[k] = np.count_nonzero((d ** 2).sum(axis=1) < RADIUS ** 2) - 1
    return out


def write_histogram(path, hist):
    with open(path, "w") as f:
        for degree, number in enumerate(hist):
            if number:
                f.write(f"{degree} {number}\n")


def main():
    points = make_points()
    mine = np.arange(RANK, NPOINTS, SIZE)
    deg = degrees(points, mine)
    hist = np.bincount(np.minimum(deg, MAXDEG - 1), minlength=MAXDEG)

    total = np.zeros_like(hist)
    comm.Reduce(hist, total, op=MPI.SUM, root=WRITER)

    if RANK == WRITER:
        write_histogram("degrees.dat", total)
        mean = float((np.arange(MAXDEG) * total).sum()) / NPOINTS
        print(f"{total.sum()} nodes, mean degree {mean:.3f}, expected {NPOINTS * np.pi * RADIUS ** 2:.3f}")
        if total.sum() != NPOINTS:
            sys.exit("nodes are missing from the histogram")


if __name__ == "__main__":
    main()
