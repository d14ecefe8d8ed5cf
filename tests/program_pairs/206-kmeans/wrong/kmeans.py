import argparse
import sys
from time import perf_counter

import numpy as np
from mpi4py import MPI


class KMeans:
    """Lloyd's algorithm; every rank holds part of the points, all hold the centres."""

    def __init__(self, comm, k, max_iter=50, tol=1e-6):
        self.comm = comm
        self.k = k
        self.max_iter = max_iter
        self.tol = tol
        self.centres = None

    def _init_centres(self, points):
        first = points[: self.k].copy() if self.comm.rank == 0 else np.empty((self.k, points.shape[1]))
        self.comm.Bcast(first, root=0)
        self.centres = first

    def _assign(self, points):
        d2 = ((points[:, None, :] - self.centres[None, :, :]) ** 2).sum(axis=2)
        return d2.argmin(axis=1), d2.min(axis=1)

    def fit(self, points):
        self._init_centres(points)
        dim = points.shape[1]
        local = np.zeros((self.k, dim + 1))
        for it in range(self.max_iter):
            label, _ = self._assign(points)
            local[:] = 0.0
            np.add.at(local[:, :dim], label, points)
            local[:, dim] = np.bincount(label, minlength=self.k)

            total = np.zeros_like(local)
            self.comm.Reduce(local, total, op=MPI.SUM, root=0)
            weight = np.maximum(total[:, dim:], 1.0)
            new = total[:, :dim] / weight
            shift = self.comm.bcast(float(np.abs(new - self.centres).max()), root=0)
            self.centres = new
            if shift < self.tol:
                break
        return it + 1

    def inertia(self, points):
        _, d2 = self._assign(points)
        return self.comm.allreduce(float(d2.sum()), op=MPI.SUM)


def blobs(rank, n):
    middle = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [6.0, 6.0]])
    rng = np.random.default_rng(rank)
    return middle[rng.integers(0, 4, n)] + rng.standard_normal((n, 2))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-k", type=int, default=4)
    ap.add_argument("--points", type=int, default=3000)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    points = blobs(comm.rank, args.points)
    start = perf_counter()
    model = KMeans(comm, args.k)
    iterations = model.fit(points)
    inertia = model.inertia(points) / (args.points * comm.size)
    copies = comm.gather(model.centres, root=0)
    if comm.rank == 0:
        same = all(np.array_equal(copies[0], c) for c in copies)
        print(f"{iterations} iterations in {perf_counter() - start:.2f} s")
        print(f"inertia per point {inertia:.4f}, centres agree on all ranks: {same}")
        if not same:
            sys.exit(1)


if __name__ == "__main__":
    main()
