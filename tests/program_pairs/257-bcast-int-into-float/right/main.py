"""Radial distribution from a lookup table owned by rank 0."""
import numpy as np
from mpi4py import MPI


class Table:
    def __init__(self, n):
        self.values = np.empty(n, dtype=np.float64)

    def build(self):
        n = len(self.values)
        self.values = np.array([k * k + 1.0 for k in range(n)])

    def share(self, comm):
        comm.Bcast(self.values, root=0)

    def __call__(self, x):
        i = np.clip(np.asarray(x, dtype=int), 0, len(self.values) - 1)
        return self.values[i]


def sample(comm, n):
    rng = np.random.default_rng(comm.rank)
    return rng.uniform(0, 32, size=n)


def main():
    comm = MPI.COMM_WORLD
    table = Table(32)
    if comm.rank == 0:
        table.build()
    table.share(comm)

    x = sample(comm, 5000)
    local = np.array([float(table(x).sum())])
    total = np.zeros(1)
    comm.Reduce(local, total, op=MPI.SUM, root=0)
    mean = total[0] / (5000 * comm.size)

    checks = comm.gather(float(table(3.2)), root=0)
    if comm.rank == 0:
        print("mean %.3f" % mean, "table(3.2) =", checks)
        assert checks == [10.0] * comm.size


if __name__ == "__main__":
    main()
