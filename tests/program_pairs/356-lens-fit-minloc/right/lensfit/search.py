import numpy as np
from mpi4py import MPI


class ParallelSearch:
    def __init__(self, comm, objective):
        self.comm = comm
        self.f = objective
        self.rng = np.random.default_rng([2024, comm.rank])

    def _descend(self, p, sweeps):
        best = self.f(p)
        width = np.array([20.0, 1.0, 0.1])
        for _ in range(sweeps):
            q = p + width * self.rng.normal(size=3)
            value = self.f(q)
            if value < best:
                p, best = q, value
            else:
                width *= 0.98
        return best, p

    def run(self, starts_per_rank, sweeps):
        found = []
        for _ in range(starts_per_rank):
            start = self.rng.uniform([100, 1, 0.05], [400, 12, 1.0])
            found.append(self._descend(start, sweeps))
        values = [v for v, _ in found]
        mine = int(np.argmin(values))
        return self._share(found, mine)

    def _share(self, found, mine):
        local_best, params = found[mine]
        value, where = self.comm.allreduce((local_best, self.comm.rank), op=MPI.MINLOC)
        params = self.comm.bcast(params, root=where)
        return value, params
