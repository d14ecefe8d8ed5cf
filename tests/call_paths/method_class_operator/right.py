"""Statistics that are built from the values of all ranks."""
import numpy as np
from mpi4py import MPI


class Statistic:
    def __init__(self, name, value):
        self.name, self.value = name, value

    @classmethod
    def gathered(cls, comm, name, value, op):
        out = np.zeros(1)
        comm.Allreduce(np.array([float(value)]), out, op=op)
        return cls(name, float(out[0]))

    def __str__(self):
        return f"{self.name}={self.value:.3f}"


def describe(comm, sample):
    first = comm.Get_rank() == 0
    return [
        Statistic.gathered(comm, "lowest", sample.min(), MPI.MIN),
        Statistic.gathered(comm, "count", sample.size, MPI.SUM),
        Statistic.gathered(comm, "highest", sample.max(), MPI.MAX),
    ]


comm = MPI.COMM_WORLD
sample = np.random.default_rng(comm.Get_rank()).normal(size=30 + comm.Get_rank())
print(comm.Get_rank(), *describe(comm, sample))
