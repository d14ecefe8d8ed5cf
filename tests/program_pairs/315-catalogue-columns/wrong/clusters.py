"""Mean position and velocity dispersion of star clusters from a catalogue on the root."""
import argparse

import numpy as np
from mpi4py import MPI

FIELDS = ("x", "y", "z", "v")


def read_columns(n, seed=5):
    """The catalogue format is one array for each field."""
    rng = np.random.default_rng(seed)
    return {"x": rng.normal(10.0, 1.0, n), "y": rng.normal(-4.0, 2.0, n),
            "z": rng.normal(0.5, 0.1, n), "v": rng.normal(220.0, 15.0, n)}


def make_table(columns):
    """Rows are stars, columns are fields."""
    return np.array([columns[name] for name in FIELDS]).T


def row_counts(n, size):
    return np.array([n // size + (p < n % size) for p in range(size)])


def distribute(comm, table):
    shape = comm.bcast(table.shape if comm.rank == 0 else None, root=0)
    counts = row_counts(shape[0], comm.size)
    mine = np.empty((counts[comm.rank], shape[1]))
    spec = [table, counts * shape[1], MPI.DOUBLE] if comm.rank == 0 else None
    comm.Scatterv(spec, mine, root=0)
    return mine


class Moments:
    def __init__(self, comm, width):
        self.comm = comm
        self.n = 0
        self.first = np.zeros(width)
        self.second = np.zeros(width)

    def add(self, rows):
        self.n += len(rows)
        self.first += rows.sum(axis=0)
        self.second += (rows ** 2).sum(axis=0)

    def finish(self):
        n = self.comm.allreduce(self.n)
        first = self.comm.allreduce(self.first)
        second = self.comm.allreduce(self.second)
        mean = first / n
        return n, mean, np.sqrt(second / n - mean ** 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stars", type=int, default=5000)
    parser.add_argument("--chunk", type=int, default=256)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    table = make_table(read_columns(args.stars)) if comm.rank == 0 else None
    mine = distribute(comm, table)
    moments = Moments(comm, len(FIELDS))
    for begin in range(0, len(mine), args.chunk):
        moments.add(mine[begin:begin + args.chunk])
    n, mean, sd = moments.finish()
    if comm.rank == 0:
        print(n, "stars")
        for name, m, s in zip(FIELDS, mean, sd):
            print(f"{name}: {m:9.3f} +- {s:.3f}")


if __name__ == "__main__":
    main()
