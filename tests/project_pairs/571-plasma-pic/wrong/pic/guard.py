"""Step control: particles must not cross more than a cell per step."""
import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("pic.guard")


class StepGuard:
    def __init__(self, comm, courant=0.5, tolerance=0.002):
        self.comm = comm
        self.courant = courant
        self.tolerance = tolerance
        self.cuts = 0

    def limit(self, dx, dt):
        return self.courant * dx / dt

    def violated(self, electrons, dt):
        """True when too large a share of all particles is too fast for dt."""
        fast = electrons.fast(self.limit(electrons.grid.dx, dt))
        return fast > 0 and self._share(fast, electrons.x.size) > self.tolerance

    def _share(self, fast, count):
        counts = np.array([fast, count], dtype=np.int64)
        self.comm.Allreduce(MPI.IN_PLACE, counts, op=MPI.SUM)
        return counts[0] / counts[1]

    def adapt(self, electrons, dt):
        while self.violated(electrons, dt):
            dt *= 0.8
            self.cuts += 1
            if self.comm.rank == 0:
                log.info("time step cut to %.4f", dt)
        return dt
