"""Histogram of a distributed column with a common range."""
import numpy as np
from mpi4py import MPI


class DistributedHistogram:
    def __init__(self, comm, bins=32):
        self.comm = comm
        self.bins = bins
        self.counts = np.zeros(bins, dtype=np.int64)

    def set_range(self, values):
        """The range covers the values of all processes."""
        low = self.comm.reduce(float(values.min()), op=MPI.MIN, root=0)
        high = self.comm.reduce(float(values.max()), op=MPI.MAX, root=0)
        edges = None
        if self.comm.rank == 0:
            edges = np.linspace(low, high, self.bins + 1)
        self.edges = self.comm.bcast(edges, root=0)

    def fill(self, values):
        self.counts += np.histogram(values, bins=self.edges)[0]

    def finish(self):
        total = np.empty_like(self.counts)
        self.comm.Allreduce(self.counts, total, op=MPI.SUM)
        self.counts = total

    def quantile(self, q):
        cumulative = np.cumsum(self.counts) / self.counts.sum()
        return self.edges[1:][np.searchsorted(cumulative, q)]
