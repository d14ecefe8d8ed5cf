"""Degree distribution of a random graph, tallied through an RMA window."""
import argparse

import numpy as np
from mpi4py import MPI


class RemoteTally:
    """Integer counters, dealt to the ranks block by block."""

    def __init__(self, comm, n):
        self.comm = comm
        self.block = -(-n // comm.size)
        self.win = MPI.Win.Allocate(self.block * 8, disp_unit=8, comm=comm)
        self.local = np.frombuffer(self.win, dtype=np.int64)
        self.local[:] = 0
        self.win.Fence()

    def add(self, ids):
        """Count every id once; ids may live on any rank."""
        owner = ids // self.block
        for target in np.unique(owner):
            here = ids[owner == target] - target * self.block
            counts = np.bincount(here, minlength=self.block).astype(np.int64)
            self.win.Accumulate(counts, int(target), op=MPI.SUM)

    def complete(self):
        self.win.Fence()

    def free(self):
        self.win.Free()


def random_edges(rng, n, m):
    src = rng.integers(0, n, m)
    # preferential choice: squares pull towards small ids
    dst = (n * rng.random(m) ** 2).astype(np.int64)
    return src, dst


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nodes", type=int, default=5000)
    ap.add_argument("--edges", type=int, default=60000)
    a = ap.parse_args()

    comm = MPI.COMM_WORLD
    rng = np.random.default_rng([1, comm.rank])
    tally = RemoteTally(comm, a.nodes)
    m = a.edges // comm.size
    src, dst = random_edges(rng, a.nodes, m)
    for start in range(0, m, 5000):
        tally.add(src[start:start + 5000])
        tally.add(dst[start:start + 5000])
    degree = tally.local.copy()

    tally.complete()
    total = comm.reduce(int(degree.sum()), op=MPI.SUM, root=0)
    top = comm.reduce(int(degree.max()), op=MPI.MAX, root=0)
    hist = comm.reduce(np.bincount(np.minimum(degree, 40) // 10, minlength=5), root=0)
    tally.free()
    if comm.rank == 0:
        print(f"sum of degrees {total} (expected {2 * m * comm.size}), max {top}")
        print("histogram", hist.tolist())


if __name__ == "__main__":
    main()
