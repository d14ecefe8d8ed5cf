"""Wind speed statistics of stations that are spread over the processes."""
import argparse

import numpy as np
from mpi4py import MPI

from binning import DistributedHistogram


def station(number, hours):
    rng = np.random.default_rng(number)
    scale = 4 + 3 * rng.random()
    return scale * rng.weibull(2.0, hours)


def read_mine(comm, stations, hours):
    return [station(k, hours) for k in range(comm.rank, stations, comm.size)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stations", type=int, default=14)
    parser.add_argument("--hours", type=int, default=2000)
    parser.add_argument("--bins", type=int, default=200)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    series = read_mine(comm, args.stations, args.hours)

    histogram = DistributedHistogram(comm, args.bins)
    histogram.set_range(np.concatenate(series))
    for values in series:
        histogram.fill(values)
    histogram.finish()
    if comm.rank == 0:
        print(f"{histogram.counts.sum()} hours, median {histogram.quantile(0.5):.2f} m/s, "
              f"gusts (99 %) {histogram.quantile(0.99):.2f} m/s")


if __name__ == "__main__":
    main()
