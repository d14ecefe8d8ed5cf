"""Thin layer around the communicator."""
import numpy as np
from mpi4py import MPI


class Cluster:
    """Rows of tables are spread over the ranks in blocks."""

    def __init__(self, comm=MPI.COMM_WORLD):
        self.comm = comm

    @property
    def is_first(self):
        return self.comm.rank == 0

    def share(self, n_rows):
        """Number of rows of each rank, the remainder goes to the first."""
        base, rest = divmod(n_rows, self.comm.size)
        return np.array([base + (rank < rest)
                         for rank in range(self.comm.size)])

    def bounds(self, n_rows):
        ends = np.cumsum(self.share(n_rows))
        rank = self.comm.rank
        return int(ends[rank] - self.share(n_rows)[rank]), int(ends[rank])

    def counts(self, n_local):
        """The row numbers of all ranks, from the one of each rank."""
        return np.array(self.comm.allgather(n_local))

    def gather_rows(self, rows, counts):
        """The rows of all ranks below each other on the first rank."""
        rows = np.ascontiguousarray(rows, dtype=float)
        width = rows.shape[1]
        table = np.zeros((counts.sum(), width)) if self.is_first else None
        recv = None
        if self.is_first:
            recv = [table, counts * width, MPI.DOUBLE]
        self.comm.Gatherv([rows, rows.size, MPI.DOUBLE], recv, root=0)
        return table
