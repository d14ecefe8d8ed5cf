"""Parallel k-means on distributed points; picks k by the elbow of the inertia."""
import sys

import numpy as np
from mpi4py import MPI

from kmeans import KMeans


def points(rank, n):
    rng = np.random.default_rng(222 + rank)
    centres = np.array([[0, 0], [4, 1], [1, 5], [6, 6]], dtype=float)
    label = rng.integers(0, len(centres), n)
    return centres[label] + 0.6 * rng.normal(size=(n, 2))


def main():
    comm = MPI.COMM_WORLD
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    x = points(comm.rank, n)
    total = comm.allreduce(len(x))
    for k in range(2, 7):
        model = KMeans(comm, k)
        model.fit(x)
        inertia = comm.allreduce(model.inertia)
        if comm.rank == 0:
            print(f"k = {k}  inertia per point {inertia / total:.4f}")


if __name__ == "__main__":
    main()
