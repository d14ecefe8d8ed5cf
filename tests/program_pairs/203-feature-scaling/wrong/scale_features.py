"""Standardise the columns of a table that is spread over the ranks by rows."""
import argparse
import sys

import numpy as np
from mpi4py import MPI


def load_rows(rank, size, total_rows, columns):
    rng = np.random.default_rng(11)
    table = rng.normal(loc=np.arange(columns), scale=1.0 + np.arange(columns), size=(total_rows, columns))
    bounds = np.linspace(0, total_rows, size + 1).astype(int)
    return table[bounds[rank]:bounds[rank + 1]]


class Scaler:
    def __init__(self, comm):
        self.comm = comm
        self.mean = None
        self.std = None

    def fit(self, rows):
        sums = np.vstack([rows.sum(axis=0), (rows ** 2).sum(axis=0)])
        total = np.empty_like(sums)
        self.comm.Allreduce(sums, total, op=MPI.SUM)
        count = len(rows)
        self.mean = total[0] / count
        self.std = np.sqrt(np.maximum(total[1] / count - self.mean ** 2, 1e-12))
        return self

    def transform(self, rows):
        return (rows - self.mean) / self.std


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--columns", type=int, default=4)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    rows = load_rows(comm.rank, comm.size, args.rows, args.columns)
    scaled = Scaler(comm).fit(rows).transform(rows)

    pieces = comm.gather(scaled, root=0)
    status = 0
    if comm.rank == 0:
        full = np.vstack(pieces)
        print("column means", np.round(full.mean(axis=0), 6))
        print("column stds ", np.round(full.std(axis=0), 6))
        if not np.allclose(full.std(axis=0), 1.0, atol=1e-3):
            status = 1
    return comm.bcast(status, root=0)


if __name__ == "__main__":
    sys.exit(main())
