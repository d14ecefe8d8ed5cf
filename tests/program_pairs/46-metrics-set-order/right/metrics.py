from mpi4py import MPI


class MetricBag:
    """Named sums that are added up over batches and then over ranks."""

    def __init__(self, comm):
        self.comm = comm
        self._names = set()
        self._sums = {}

    def add(self, name, value):
        self._names.add(name)
        self._sums[name] = self._sums.get(name, 0) + value

    def reduced(self):
        out = {}
        for name in sorted(self._names):
            out[name] = self.comm.allreduce(self._sums[name], op=MPI.SUM)
        return out
