"""Power iteration with a row-distributed sparse matrix."""
import argparse
import numpy as np
from mpi4py import MPI

from sparse.collectors import VectorCollector
from sparse.rowblock import banded, row_range


class PowerIteration:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        lo, hi = row_range(n, comm.rank, comm.size)
        self.A = banded(n, lo, hi)
        self.collector = VectorCollector(comm, n)
        self.x = np.ones(n) / np.sqrt(n)
        self.value = 0.0

    def iterate(self):
        y_local = self.A @ self.x
        y = self.collector.collect(y_local)
        if self.comm.rank == 0:
            self.value = float(np.linalg.norm(y))
            self.x = y / self.value
        self.x = self.comm.bcast(self.x, root=0)
        self.value = self.comm.bcast(self.value, root=0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=1000)
    ap.add_argument("--iterations", type=int, default=30)
    ns = ap.parse_args()
    comm = MPI.COMM_WORLD
    pi = PowerIteration(comm, ns.rows)
    for k in range(ns.iterations):
        pi.iterate()
        if comm.rank == 0 and k % 10 == 0:
            print(k, pi.value)
    if comm.rank == 0:
        print("largest eigenvalue about %.6f" % pi.value)


if __name__ == "__main__":
    main()
