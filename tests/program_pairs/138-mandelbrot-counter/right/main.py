"""Mandelbrot rows with dynamic load balance: a shared row counter in a one-sided window."""
import argparse

import numpy as np
from mpi4py import MPI


class RowCounter:
    def __init__(self, comm, limit, host=0):
        self.host, self.limit = host, limit
        size = MPI.INT64_T.Get_size() if comm.rank == host else 0
        self.win = MPI.Win.Allocate(size, MPI.INT64_T.Get_size(), comm=comm)
        self.value = np.zeros(1, dtype=np.int64)
        self.one = np.ones(1, dtype=np.int64)
        if comm.rank == host:
            self.win.Lock(host, MPI.LOCK_EXCLUSIVE)
            self.win.Put([self.value, MPI.INT64_T], host)
            self.win.Unlock(host)
        comm.Barrier()

    def take(self):
        """The next row that nobody has taken, or None."""
        self.win.Lock(self.host, MPI.LOCK_SHARED)
        self.win.Fetch_and_op([self.one, MPI.INT64_T], [self.value, MPI.INT64_T],
                              self.host, 0, MPI.SUM)
        self.win.Unlock(self.host)
        row = int(self.value[0])
        return row if row < self.limit else None

    def __iter__(self):
        row = self.take()
        while row is not None:
            yield row
            row = self.take()

    def close(self):
        self.win.Free()


def escape_counts(y, width, maxiter):
    c = np.linspace(-2.2, 0.8, width) + 1j * y
    z = np.zeros_like(c)
    counts = np.zeros(width, dtype=np.int64)
    for _ in range(maxiter):
        alive = np.abs(z) <= 2.0
        if not alive.any():
            break
        z[alive] = z[alive] ** 2 + c[alive]
        counts += alive
    return counts


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=60)
    ap.add_argument("--height", type=int, default=600)
    ap.add_argument("--maxiter", type=int, default=30)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    image = np.zeros((args.height, args.width), dtype=np.int64)
    done = 0
    counter = RowCounter(comm, args.height)
    for row in counter:
        y = -1.2 + 2.4 * row / (args.height - 1)
        image[row] += escape_counts(y, args.width, args.maxiter)
        done += 1
    counter.close()

    comm.Reduce(MPI.IN_PLACE if comm.rank == 0 else image, image, op=MPI.SUM, root=0)
    rows = comm.reduce(done, root=0)
    if comm.rank == 0:
        print(f"rows computed {rows} of {args.height}, largest count {image.max()}, sum {image.sum()}")


if __name__ == "__main__":
    main()
