"""Redshift histogram of selected galaxies, accumulated in an RMA window on rank 0."""
import argparse
from pathlib import Path

import numpy as np
from mpi4py import MPI

BINS = np.linspace(0.0, 3.0, 31)


def mock_survey(field, n=500):
    rng = np.random.default_rng(field)
    z = rng.gamma(2.0, 0.5, n)
    depth = 20.0 + 0.75 * field
    mag = depth + rng.normal(0.0, 0.8, n)
    return z, mag


class HistogramWindow:
    def __init__(self, comm, nbins):
        self.comm = comm
        self.counts = np.zeros(nbins if comm.rank == 0 else 0)
        self.win = MPI.Win.Create(self.counts, disp_unit=8, comm=comm)

    def add(self, values):
        hist, _ = np.histogram(values, bins=BINS)
        self.win.Accumulate(hist.astype(float), 0, op=MPI.SUM)

    def fence(self):
        self.win.Fence()

    def close(self):
        self.win.Free()


def process(comm, n_fields, mag_limit):
    window = HistogramWindow(comm, BINS.size - 1)
    selected = 0
    rounds = -(-n_fields // comm.size)
    for k in range(rounds):
        field = k * comm.size + comm.rank
        if field < n_fields:
            z, mag = mock_survey(field)
            z = z[mag < mag_limit]
        else:
            z = np.empty(0)
        window.fence()
        if z.size:
            window.add(z)
        window.fence()
        selected += z.size
    total = comm.allreduce(selected)
    counts = window.counts.copy()
    window.close()
    return counts, total


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--fields", type=int, default=16)
    ap.add_argument("--limit", type=float, default=21.0)
    ap.add_argument("--output", type=Path)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    counts, total = process(comm, args.fields, args.limit)
    if comm.rank == 0:
        print(f"{total} selected, {int(counts.sum())} within bins, peak bin {counts.argmax()}")
        if args.output:
            np.savetxt(args.output, np.column_stack([BINS[:-1], counts]))


if __name__ == "__main__":
    main()
