"""Row slabs of the grid."""
import numpy as np
from mpi4py import MPI


class Slab:
    def __init__(self, comm, settings):
        if settings.n % comm.size:
            raise ValueError(f"{settings.n} rows cannot be dealt to {comm.size} ranks")
        self.comm = comm
        self.n = settings.n
        self.rows = settings.n // comm.size
        self.first = comm.rank * self.rows
        self.real = np.dtype(settings.real)

    @property
    def own(self):
        return slice(self.first, self.first + self.rows)

    def zeros(self):
        return np.zeros((self.rows, self.n), dtype=self.real)

    def collect(self, local):
        """The whole field on all ranks."""
        whole = np.empty((self.n, self.n))
        self.comm.Allgather(np.ascontiguousarray(local), whole)
        return whole

    def total(self, local):
        return self.comm.allreduce(float(local.sum(dtype="f8")), op=MPI.SUM)
