from mpi4py import MPI

class Problem:
    def __init__(self, comm):
        self.comm = comm
        self._cache = None
    def objective(self, x):
        self.comm.Bcast(x, root=0)
        self._cache = x.sum()
        return self._cache
    def constraints(self, x):
        if self._cache is None:
            self.comm.Bcast(x, root=0)
            value = x.sum()
        else:
            value = self._cache
            self._cache = None
        return value
