import numpy as np
from mpi4py import MPI

from registry import Diagnostic


class Count(Diagnostic, label="count"):
    def __call__(self, field, known):
        return self.comm.allreduce(field.size)


class Mean(Diagnostic, label="mean", needs=["count"]):
    def __call__(self, field, known):
        return self.comm.allreduce(float(field.sum())) / known["count"]


class Variance(Diagnostic, label="variance", needs=["mean", "count"]):
    def __call__(self, field, known):
        out = np.empty(1)
        self.comm.Allreduce(np.array([((field - known["mean"]) ** 2).sum()]), out)
        return float(out[0] / known["count"])


class Range(Diagnostic, label="range"):
    def __call__(self, field, known):
        low = self.comm.allreduce(float(field.min(initial=np.inf)), op=MPI.MIN)
        high = self.comm.allreduce(float(field.max(initial=-np.inf)), op=MPI.MAX)
        return low, high


class Histogram(Diagnostic, label="histogram", needs=["range"]):
    bins = 8

    def __call__(self, field, known):
        mine, _ = np.histogram(field, bins=self.bins, range=known["range"])
        total = np.zeros_like(mine) if self.comm.rank == 0 else None
        self.comm.Reduce(mine, total, root=0)
        return tuple(self.comm.bcast(total, root=0).tolist())


class Outliers(Diagnostic, label="outliers", needs=["mean", "variance"]):
    def __call__(self, field, known):
        spread = np.sqrt(known["variance"])
        odd = field[np.abs(field - known["mean"]) > 2.0 * spread]
        counts = self.comm.allgather(odd.size)
        if not any(counts):
            return ()
        every = np.empty(sum(counts))
        self.comm.Allgatherv(odd, [every, counts])
        return tuple(np.sort(every).tolist())
