"""Histogram of pairwise distances in a random configuration."""
import os

import numpy as np
from mpi4py import MPI

BINS = int(os.environ.get("BINS", 40))
BOX = 10.0
RMAX = BOX / 2


def minimum_image(d):
    return d - BOX * np.rint(d / BOX)


class PairHistogram:
    def __init__(self, comm, bins=BINS, rmax=RMAX):
        self.comm = comm
        self.edges = np.linspace(0.0, rmax, bins + 1)
        self.counts = np.zeros(bins, dtype=np.int64)
        self.frames = 0

    def add_frame(self, pos):
        n = len(pos)
        for i in range(self.comm.rank, n - 1, self.comm.size):
            r = np.sqrt((minimum_image(pos[i + 1:] - pos[i]) ** 2).sum(1))
            self.counts += np.histogram(r, self.edges)[0]
        self.frames += 1

    def finish(self):
        """Sum over the ranks; g(r) on rank 0."""
        if self.comm.rank != 0:
            self.comm.Reduce(self.counts, None, op=MPI.SUM, root=0)
            return None
        self.comm.Reduce(MPI.IN_PLACE, self.counts, op=MPI.SUM, root=0)
        shell = 4.0 / 3.0 * np.pi * np.diff(self.edges ** 3)
        return self.counts / shell / self.frames


def trajectory(nframes, n, seed):
    rng = np.random.default_rng(seed)
    pos = rng.random((n, 3)) * BOX
    for _ in range(nframes):
        pos = (pos + rng.normal(scale=0.05, size=pos.shape)) % BOX
        yield pos


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    h = PairHistogram(world)
    natoms = 150
    for frame in trajectory(5, natoms, seed=21):
        h.add_frame(frame)
    g = h.finish()
    if g is not None:
        g *= BOX ** 3 / (natoms * (natoms - 1) / 2)
        mid = 0.5 * (h.edges[1:] + h.edges[:-1])
        for r, v in list(zip(mid, g))[::8]:
            print(f"{r:6.3f} {v:8.4f}")
