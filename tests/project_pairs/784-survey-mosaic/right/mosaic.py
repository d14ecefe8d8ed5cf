"""A stack of exposures spread over the ranks."""
from functools import cached_property

import numpy as np
from mpi4py import MPI


class Mosaic:
    def __init__(self, comm, exposures):
        self.comm = comm
        self.exposures = exposures
        self.offsets = {}

    def _sum(self, *values):
        local = np.array(values, dtype=float)
        total = np.empty_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        return total

    @cached_property
    def depth(self):
        """Total integration time in seconds."""
        return self._sum(sum(e.seconds for e in self.exposures))[0]

    @cached_property
    def noise(self):
        """RMS scatter of the background over the whole stack."""
        n, s, q = 0, 0.0, 0.0
        for e in self.exposures:
            r = e.rate - self.offsets.get(e.number, 0.0)
            r = r[r < np.percentile(r, 90)]
            n, s, q = n + r.size, s + r.sum(), q + (r**2).sum()
        n, s, q = self._sum(n, s, q)
        return float(np.sqrt(q / n - (s / n) ** 2))

    def subtract_sky(self):
        for e in self.exposures:
            self.offsets[e.number] = float(np.median(e.rate))

    def coadd(self, threshold):
        """Exposure-weighted sum of everything above the threshold."""
        stack = np.zeros((64, 64))
        for e in self.exposures:
            r = e.rate - self.offsets[e.number]
            stack += np.where(r > threshold, r, 0.0) * e.seconds
        out = np.empty_like(stack) if self.comm.rank == 0 else None
        self.comm.Reduce(stack, out, op=MPI.SUM, root=0)
        return out

    def describe(self):
        return f"noise {self.noise:.4f} counts/s from {len(self.exposures)} local exposures"
