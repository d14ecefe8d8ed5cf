"""Calibration run: noise and pedestal of the channels of a detector."""
import argparse

import numpy as np
from mpi4py import MPI

from running import MERGE, RunningMoments

CHANNELS = 5


def events(rank, size, total):
    """The events of the run are read in turn by the processes."""
    for number in range(rank, total, size):
        rng = np.random.default_rng(number)
        drift = 0.002 * number
        yield 100.0 + 10.0 * np.arange(CHANNELS) + drift + rng.normal(size=CHANNELS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=1501)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    moments = RunningMoments(CHANNELS)
    for values in events(comm.rank, comm.size, args.events):
        moments.push(values)
    merged = moments.merged(comm)
    threshold = merged.mean + 5 * merged.sd
    fired = sum(int((v > threshold).any()) for v in events(comm.rank, comm.size, args.events))
    fired = comm.reduce(fired, root=0)
    if comm.rank == 0:
        print("events", int(merged.state[0, 0]))
        print("mean", np.round(merged.mean, 4))
        print("sd  ", np.round(merged.sd, 4))
        print("above threshold", fired)
    MERGE.Free()


if __name__ == "__main__":
    main()
