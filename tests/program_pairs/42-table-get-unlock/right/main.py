"""Opacity lookups in a table that is spread over the ranks (one-sided)."""
from contextlib import contextmanager

import numpy as np
from mpi4py import MPI


class SharedTable:
    def __init__(self, comm, nrows, ncols):
        self.comm, self.nrows, self.ncols = comm, nrows, ncols
        self.per = -(-nrows // comm.size)
        nbytes = self.per * ncols * 8
        self.win = MPI.Win.Allocate(nbytes, disp_unit=8, comm=comm)
        self.mine = np.frombuffer(self.win, dtype="d").reshape(self.per, ncols)

    def fill(self, func):
        self.win.Lock(self.comm.rank, MPI.LOCK_EXCLUSIVE)
        first = self.comm.rank * self.per
        for i in range(self.per):
            self.mine[i] = func(first + i, np.arange(self.ncols))
        self.win.Unlock(self.comm.rank)
        self.comm.Barrier()

    @contextmanager
    def reading(self, owner):
        self.win.Lock(owner, MPI.LOCK_SHARED)
        try:
            yield
        finally:
            self.win.Unlock(owner)

    def row(self, index):
        owner, local = divmod(index, self.per)
        buf = np.empty(self.ncols)
        with self.reading(owner):
            self.win.Get(buf, owner, target=(local * self.ncols, self.ncols, MPI.DOUBLE))
        peak = buf.max()
        return buf / peak

    def close(self):
        self.comm.Barrier()
        self.win.Free()


def opacity(row, col):
    return 1.0 + row * np.exp(-((col - 40.0) / 25.0) ** 2)


def ray(table, rng, steps):
    """Optical depth along a random ray through the table."""
    tau = 0.0
    for _ in range(steps):
        i = int(rng.integers(0, table.nrows))
        tau += table.row(i)[int(rng.integers(0, table.ncols))]
    return tau / steps


def main():
    comm = MPI.COMM_WORLD
    table = SharedTable(comm, nrows=120, ncols=2048)
    table.fill(opacity)
    rng = np.random.default_rng([9, comm.rank])
    mean = np.mean([ray(table, rng, 50) for _ in range(10)])
    everyone = comm.gather(mean, root=0)
    table.close()
    if comm.rank == 0:
        print(f"mean optical depth per step {np.mean(everyone):.5f}")


if __name__ == "__main__":
    main()
