#!/usr/bin/env python
# Global histogram of particle energies with common bins.
import numpy as np
from mpi4py import MPI


def energies(rank, n=4000):
    rng = np.random.default_rng(2024 + rank)
    return rng.gamma(shape=2.0, scale=1.0 + rank, size=n)


class GlobalHistogram:
    def __init__(self, comm, nbins):
        self.comm = comm
        self.nbins = nbins
        self.edges = None
        self.counts = None

    def span(self, values):
        lo = self.comm.allreduce(float(values.min()), op=MPI.MIN)
        hi = self.comm.allreduce(float(values.max()), op=MPI.MIN)
        return lo, hi

    def fill(self, values):
        lo, hi = self.span(values)
        self.edges = np.linspace(lo, hi, self.nbins + 1)
        local, _ = np.histogram(values, bins=self.edges)
        self.counts = np.zeros_like(local)
        self.comm.Allreduce(local, self.counts, op=MPI.SUM)

    def show(self, width=40):
        top = self.counts.max()
        for c, e in zip(self.counts, self.edges):
            print(f"{e:8.2f} {c:6d} " + "*" * int(width * c / top))


def main():
    comm = MPI.COMM_WORLD
    values = energies(comm.rank)
    h = GlobalHistogram(comm, nbins=10)
    h.fill(values)
    n = comm.reduce(len(values), op=MPI.SUM, root=0)
    if comm.rank == 0:
        h.show()
        print("counted", h.counts.sum(), "of", n)
        assert h.counts.sum() == n


if __name__ == "__main__":
    main()
