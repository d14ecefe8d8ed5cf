"""Shared binary file: an int64 with the number of records, then the records."""
import numpy as np
from mpi4py import MPI

PEAK_DTYPE = np.dtype([("ix", "<i4"), ("iy", "<i4"), ("height", "<f8")])
HEADER = np.dtype("<i8")


class CatalogueFile:
    def __init__(self, comm, path, dtype):
        self.comm = comm
        self.path = path
        self.dtype = dtype

    def __enter__(self):
        self.file = MPI.File.Open(self.comm, self.path,
                                  MPI.MODE_CREATE | MPI.MODE_WRONLY)
        self.file.Set_size(0)
        return self

    def __exit__(self, *exc):
        self.file.Close()
        return False

    def first_record(self, n):
        """Index in the whole catalogue of this rank's first record."""
        return self.comm.rank * n

    def write(self, rows):
        total = self.comm.allreduce(len(rows), op=MPI.SUM)
        if self.comm.rank == 0:
            self.file.Write_at(0, np.array([total], dtype=HEADER))
        offset = HEADER.itemsize + self.first_record(len(rows)) * self.dtype.itemsize
        self.file.Write_at_all(offset, [rows.tobytes(), MPI.BYTE])
        return total


def read_catalogue(path, dtype):
    with open(path, "rb") as f:
        count = int(np.fromfile(f, HEADER, 1)[0])
        return np.fromfile(f, dtype, count)
