import time
from mpi4py import MPI


class Section:
    """Times a section of the program on all ranks."""

    def __init__(self, comm, name):
        self.comm, self.name = comm, name

    def __enter__(self):
        self.comm.Barrier()
        self.began = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = self.comm.allreduce(time.perf_counter() - self.began, op=MPI.MAX)
