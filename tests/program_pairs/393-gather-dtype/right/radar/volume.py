import numpy as np


def split_evenly(n, parts):
    if n % parts:
        raise ValueError("%d azimuths cannot be divided over %d ranks" % (n, parts))
    return n // parts


class PPIScan(object):
    def __init__(self, mpi, sim, nazimuth):
        self.mpi = mpi
        self.sim = sim
        self.naz = nazimuth
        self.per_rank = split_evenly(nazimuth, mpi.size)
        self.local = None

    def azimuths(self):
        step = 360.0 / self.naz
        first = self.mpi.rank * self.per_rank
        return [(first + i) * step for i in range(self.per_rank)]

    def acquire(self):
        self.local = np.array([self.sim.shoot(a) for a in self.azimuths()])
        return self

    def despeckle(self, thr):
        loc = self.local
        quiet = np.abs(loc) < thr
        loc[quiet] = 0
        return self

    def assemble(self, root=0):
        full = None
        if self.mpi.rank == root:
            full = np.zeros((self.naz, self.sim.gates), dtype=self.local.dtype)
        self.mpi.Gather(self.local, full, root=root)
        return full
