"""Histogram of polymer end-to-end distances from pivot Monte Carlo moves."""
import argparse

import numpy as np
from mpi4py import MPI


class Chain:
    """Freely jointed chain in three dimensions with a soft repulsion of the beads."""

    def __init__(self, beads, rng):
        self.rng = rng
        self.bonds = self.unit_vectors(beads - 1)

    def unit_vectors(self, n):
        v = self.rng.normal(size=(n, 3))
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def positions(self, bonds):
        return np.vstack([np.zeros(3), np.cumsum(bonds, axis=0)])

    def energy(self, bonds):
        x = self.positions(bonds)
        d2 = ((x[:, None] - x[None]) ** 2).sum(-1)
        return 0.4 * np.exp(-2.0 * d2[np.triu_indices(len(x), 2)]).sum()

    def pivot(self):
        k = self.rng.integers(len(self.bonds))
        axis = self.unit_vectors(1)[0]
        angle = self.rng.uniform(-1.5, 1.5)
        b = self.bonds[k:]
        cos, sin = np.cos(angle), np.sin(angle)
        turned = b * cos + np.cross(axis, b) * sin + np.outer(b @ axis, axis) * (1 - cos)
        trial = np.vstack([self.bonds[:k], turned])
        if self.rng.random() < np.exp(self.energy(self.bonds) - self.energy(trial)):
            self.bonds = trial

    def end_to_end(self):
        return float(np.linalg.norm(self.bonds.sum(axis=0)))


class Histogram:
    def __init__(self, comm, top, bins=40):
        self.comm = comm
        self.edges = np.linspace(0, top, bins + 1)
        self.counts = np.zeros(bins, dtype=np.int64)

    def add(self, value):
        i = np.searchsorted(self.edges, value, side="right") - 1
        self.counts[min(i, len(self.counts) - 1)] += 1

    def total(self):
        summed = np.empty_like(self.counts)
        self.comm.Allreduce(self.counts, summed)
        return summed

    def mean(self, counts):
        centres = 0.5 * (self.edges[1:] + self.edges[:-1])
        return (centres * counts).sum() / counts.sum()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--beads", type=int, default=12)
    p.add_argument("--moves", type=int, default=2000)
    p.add_argument("--report", type=int, default=500)
    args = p.parse_args()

    comm = MPI.COMM_WORLD
    chain = Chain(args.beads, np.random.default_rng([31, comm.rank]))
    hist = Histogram(comm, top=args.beads - 1)
    for move in range(1, args.moves + 1):
        chain.pivot()
        hist.add(chain.end_to_end())
        if move % args.report == 0:
            counts = hist.total()
            if comm.rank == 0:
                print(f"{move:6d} moves: {counts.sum():9d} samples, mean distance {hist.mean(counts):.4f}")


if __name__ == "__main__":
    main()
