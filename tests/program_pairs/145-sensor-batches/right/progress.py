import logging

import numpy as np
from mpi4py import MPI

import readings

log = logging.getLogger(__name__)


class BatchRunner:
    """Works through the files in rounds of one file a rank, with totals after each round."""

    def __init__(self, comm, paths):
        self.comm = comm
        self.paths = paths
        self.total = np.zeros(3)

    def rounds(self):
        size = self.comm.size
        for start in range(0, len(self.paths), size):
            index = start + self.comm.rank
            yield self.paths[index] if index < len(self.paths) else None

    def run(self):
        for number, path in enumerate(self.rounds()):
            partial = np.zeros(3)
            try:
                if path is not None:
                    values = readings.parse(path)
                    partial[:] = len(values), values.sum(), (values ** 2).sum()
            except ValueError as err:
                log.warning("skipped, %s", err)
            self.comm.Allreduce(MPI.IN_PLACE, partial, op=MPI.SUM)
            self.total += partial
            if self.comm.rank == 0:
                log.info("round %d: %d values so far", number, int(self.total[0]))
        return self.total
