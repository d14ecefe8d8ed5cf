"""Adaptive refinement of a 1-d mesh; new nodes get global numbers without gaps."""
import argparse

import numpy as np
from mpi4py import MPI


def density(x):
    return np.exp(-400 * (x - 0.37) ** 2) + 0.3 * np.tanh(40 * (x - 0.8))


class Mesh:
    """Elements (left end, right end) of my part of [0, 1] and numbers of the inserted nodes."""

    def __init__(self, comm, elements):
        self.comm = comm
        ends = np.linspace(0.0, 1.0, elements * comm.size + 1)
        mine = ends[comm.rank * elements:(comm.rank + 1) * elements + 1]
        self.elements = np.stack([mine[:-1], mine[1:]], axis=1)
        self.next_number = len(ends)
        self.inserted = {}

    def indicator(self):
        a, b = self.elements.T
        mid = 0.5 * (a + b)
        return np.abs(density(mid) - 0.5 * (density(a) + density(b)))

    def number_nodes(self, n_new):
        """Global numbers of the n_new nodes of this process."""
        offset = self.comm.exscan(n_new, op=MPI.SUM)
        if self.comm.rank == 0:
            offset = 0
        first = self.next_number + offset
        self.next_number += self.comm.allreduce(n_new, op=MPI.SUM)
        return np.arange(first, first + n_new)

    def refine(self, tol):
        marked = self.indicator() > tol
        a, b = self.elements[marked].T
        mid = 0.5 * (a + b)
        for number, x in zip(self.number_nodes(len(mid)), mid):
            self.inserted[int(number)] = float(x)
        halves = np.concatenate([np.stack([a, mid], 1), np.stack([mid, b], 1)])
        rest = np.concatenate([self.elements[~marked], halves])
        self.elements = rest[np.argsort(rest[:, 0])]
        return self.comm.allreduce(len(mid), op=MPI.SUM)


def check(mesh):
    numbers = mesh.comm.gather(sorted(mesh.inserted), root=0)
    elements = mesh.comm.reduce(len(mesh.elements), root=0)
    if mesh.comm.rank == 0:
        flat = sorted(n for part in numbers for n in part)
        gaps = flat != list(range(flat[0], flat[0] + len(flat)))
        print(f"{elements} elements, {len(flat)} inserted nodes, gaps or doubles: {gaps}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elements", type=int, default=12)
    parser.add_argument("--tol", type=float, default=2e-3)
    args = parser.parse_args()
    mesh = Mesh(MPI.COMM_WORLD, args.elements)
    level = 0
    while mesh.refine(args.tol):
        level += 1
    if mesh.comm.rank == 0:
        print("levels", level)
    check(mesh)


if __name__ == "__main__":
    main()
