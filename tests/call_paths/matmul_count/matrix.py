import numpy as np
from mpi4py import MPI


class RowMatrix:
    """Every rank holds some rows; the product with the transpose is summed."""

    def __init__(self, comm, rows):
        self.comm, self.rows = comm, rows

    def __getitem__(self, key):
        return RowMatrix(self.comm, self.rows[key])

    def __matmul__(self, y):
        local = self.rows.T @ y
        out = np.zeros_like(local)
        self.comm.Allreduce(local, out, op=MPI.SUM)
        return out
