"""Radial distribution function of a periodic box of particles."""
import argparse

import numpy as np
from mpi4py import MPI

from parallel import announce, share, sum_to_root


class Box:
    def __init__(self, comm, n, edge):
        self.comm = comm
        self.edge = edge
        points = None
        if comm.rank == 0:
            rng = np.random.default_rng(42)
            grid = np.stack(np.meshgrid(*[np.arange(n) + 0.5] * 3), -1).reshape(-1, 3)
            points = (grid * edge / n + rng.normal(0, 0.05, grid.shape)) % edge
        self.points = comm.bcast(points, root=0)

    def distances_from(self, i):
        d = self.points[i + 1:] - self.points[i]
        d -= self.edge * np.round(d / self.edge)
        return np.sqrt((d ** 2).sum(axis=1))

    def histogram(self, bins, r_max):
        counts = np.zeros(bins)
        for i in share(len(self.points), self.comm):
            counts += np.histogram(self.distances_from(i), bins=bins, range=(0, r_max))[0]
        return sum_to_root(self.comm, counts)


def normalise(counts, n, edge, r_max):
    edges = np.linspace(0, r_max, len(counts) + 1)
    shell = 4 / 3 * np.pi * np.diff(edges ** 3)
    ideal = n * (n - 1) / 2 * shell / edge ** 3
    return 0.5 * (edges[1:] + edges[:-1]), counts / ideal


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--per-edge", type=int, default=8)
    parser.add_argument("--edge", type=float, default=8.0)
    parser.add_argument("--bins", type=int, default=40)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    box = Box(comm, args.per_edge, args.edge)
    counts = box.histogram(args.bins, args.edge / 2)
    n = len(box.points)
    announce(comm, f"{n} particles, {int(counts.sum())} pairs on the root")
    if comm.rank == 0:
        r, g = normalise(counts, n, args.edge, args.edge / 2)
        k = int(np.argmax(g))
        print(f"first peak at r = {r[k]:.3f}, g = {g[k]:.4f}")


if __name__ == "__main__":
    main()
