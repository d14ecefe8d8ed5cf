from functools import cached_property

import numpy as np
from mpi4py import MPI


class DensityMesh:
    """Galaxy counts on an N^3 mesh, split in x-planes."""

    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        edges = np.arange(comm.size + 1) * n // comm.size
        self.lo, self.hi = int(edges[comm.rank]), int(edges[comm.rank + 1])
        self.counts = np.zeros((self.hi - self.lo, n, n))

    def deposit(self, positions):
        """Nearest-grid-point assignment of positions in the unit box."""
        cell = np.floor(positions * self.n).astype(int) % self.n
        keep = (cell[:, 0] >= self.lo) & (cell[:, 0] < self.hi)
        i, j, k = cell[keep].T
        np.add.at(self.counts, (i - self.lo, j, k), 1.0)
        return int(keep.sum())

    @cached_property
    def mean(self):
        total = self.comm.allreduce(self.counts.sum(), op=MPI.SUM)
        return total / self.n**3

    def _ghost_planes(self, f):
        left = (self.comm.rank - 1) % self.comm.size
        right = (self.comm.rank + 1) % self.comm.size
        below = np.empty_like(f[0])
        above = np.empty_like(f[0])
        self.comm.Sendrecv(f[-1], dest=right, sendtag=5, recvbuf=below, source=left, recvtag=5)
        self.comm.Sendrecv(f[0], dest=left, sendtag=6, recvbuf=above, source=right, recvtag=6)
        return np.concatenate([below[None], f, above[None]])

    def smooth(self, passes=1):
        f = self.counts
        for _ in range(passes):
            g = self._ghost_planes(f)
            f = 0.25 * g[:-2] + 0.5 * g[1:-1] + 0.25 * g[2:]
            for ax in (1, 2):
                f = 0.25 * np.roll(f, 1, ax) + 0.5 * f + 0.25 * np.roll(f, -1, ax)
        self.counts = f

    def delta(self):
        return self.counts / self.mean - 1.0
