"""Magnitude histogram and b-value of an earthquake catalogue in monthly files."""
import argparse
import math
import os
import random
import shutil
import tempfile

from mpi4py import MPI


def write_catalogue(folder, months, per_month):
    for m in range(months):
        rnd = random.Random(m)
        with open(os.path.join(folder, f"{m:03d}.txt"), "w") as f:
            for _ in range(per_month + 10 * m):
                f.write(f"{2.0 + rnd.expovariate(math.log(10) * 1.0):.2f}\n")


class MagnitudeHistogram:
    def __init__(self, lowest=2.0, width=0.25, bins=16):
        self.lowest = lowest
        self.width = width
        self.counts = [0] * bins
        self.read = 0
        self.total = 0.0

    def add_file(self, path):
        with open(path) as f:
            for line in f:
                magnitude = float(line)
                index = int((magnitude - self.lowest) / self.width)
                self.counts[min(index, len(self.counts) - 1)] += 1
                self.read += 1
                self.total += magnitude

    def edges(self):
        return [self.lowest + i * self.width for i in range(len(self.counts))]

    def merge(self, comm):
        self.read = comm.allreduce(self.read, op=MPI.SUM)
        self.total = comm.allreduce(self.total, op=MPI.SUM)
        self.counts = comm.allreduce(self.counts, op=MPI.SUM)

    def b_value(self):
        return math.log10(math.e) / (self.total / self.read - self.lowest)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--events", type=int, default=200)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    folder = None
    if comm.rank == 0:
        folder = tempfile.mkdtemp()
        write_catalogue(folder, args.months, args.events)
    folder = comm.bcast(folder, root=0)

    histogram = MagnitudeHistogram()
    for name in sorted(os.listdir(folder))[comm.rank::comm.size]:
        histogram.add_file(os.path.join(folder, name))
    edges = histogram.edges()
    histogram.merge(comm)
    if comm.rank == 0:
        print(f"{histogram.read} events, b = {histogram.b_value():.3f}")
        for edge, count in zip(edges, histogram.counts):
            print(f"M {edge:.2f}  {count:6d}  {'#' * int(10 * math.log10(count + 1))}")
        print("in the histogram:", sum(c for _, c in zip(edges, histogram.counts)))
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
