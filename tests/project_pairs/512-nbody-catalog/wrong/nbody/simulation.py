import logging

import numpy as np
from mpi4py import MPI

from .ics import plummer, read_tracked

log = logging.getLogger("nbody")


class Simulation:
    def __init__(self, comm, params):
        self.comm = comm
        self.params = params
        self.t = 0.0
        self.counts = None
        self.displs = None

    def setup(self):
        n = self.params["n"]
        x = v = None
        if self.comm.rank == 0:
            x, v = plummer(n, self.params["seed"])
            self.tracked = read_tracked()
            log.info("%d bodies, %d tracked", n, len(self.tracked))
        self.x = self.comm.bcast(x, root=0)
        self._partition(n)
        self.v = self.comm.bcast(v, root=0)[self.own]
        self.acc = self.accelerations()

    def _partition(self, n):
        size, rank = self.comm.size, self.comm.rank
        cuts = [n * r // size for r in range(size + 1)]
        self.own = slice(cuts[rank], cuts[rank + 1])
        self.counts = [3 * (b - a) for a, b in zip(cuts, cuts[1:])]
        self.displs = [3 * a for a in cuts[:-1]]

    def accelerations(self):
        mine = self.x[self.own]
        d = self.x[None, :, :] - mine[:, None, :]
        r2 = (d * d).sum(axis=2) + self.params["softening"] ** 2
        return (d / r2[:, :, None] ** 1.5).sum(axis=1) / len(self.x)

    def drift(self, dt):
        mine = np.ascontiguousarray(self.x[self.own] + dt * self.v)
        self.comm.Allgatherv(mine, [self.x, self.counts, self.displs, MPI.DOUBLE])

    def step(self, dt):
        self.v = self.v + 0.5 * dt * self.acc
        self.drift(dt)
        self.acc = self.accelerations()
        self.v = self.v + 0.5 * dt * self.acc
        self.t += dt

    def kinetic(self):
        return self.comm.allreduce(0.5 * float((self.v ** 2).sum()), op=MPI.SUM) / len(self.x)

    def tracked_here(self):
        for i, label in self.tracked.items():
            if self.own.start <= i < self.own.stop:
                yield i, label
