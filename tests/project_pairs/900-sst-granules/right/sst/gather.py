import numpy as np
from mpi4py import MPI

from .swath import ROW_FIELDS


class RowGatherer:
    """Brings the rows of all ranks to the root, in rank order."""

    def __init__(self, comm, plan):
        self.comm = comm
        self.plan = plan

    def _counts(self, rows):
        return np.array(self.comm.allgather(len(rows)))

    def to_root(self, rows, root=0):
        width = len(ROW_FIELDS)
        counts = self._counts(rows)
        table = recv = None
        if self.comm.rank == root:
            table = np.zeros((counts.sum(), width))
            recv = [table, (counts * width).tolist(), MPI.DOUBLE]
        self.comm.Gatherv([rows, MPI.DOUBLE], recv, root=root)
        return table
