#!/usr/bin/env python
"""Length statistics of simulated long reads.

Every worker simulates the reads of one flow cell channel group and ships
the read lengths to rank 0, which prints N50 and the mean length.
"""
import argparse

import numpy as np
from mpi4py import MPI

TAG_LENGTHS = 11


def simulate_channel(channel, mean_reads):
    rng = np.random.default_rng(1000 + channel)
    n = rng.poisson(mean_reads)
    return np.maximum(rng.gamma(2.0, 4000.0, n), 200).astype(np.int64)


def n50(lengths):
    s = np.sort(lengths)[::-1]
    half = s.sum() / 2
    return int(s[np.searchsorted(np.cumsum(s), half)])


def receive_lengths(comm):
    """Take one message of unknown length from any worker."""
    status = MPI.Status()
    comm.Probe(source=MPI.ANY_SOURCE, tag=TAG_LENGTHS, status=status)
    count = status.Get_count()
    lengths = np.zeros(count, dtype=np.int64)
    comm.Recv([lengths, MPI.INT64_T], source=status.Get_source(), tag=TAG_LENGTHS)
    return status.Get_source(), lengths


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--mean-reads", type=int, default=400)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    if rank != 0:
        mine = simulate_channel(rank, args.mean_reads)
        comm.Send([mine, MPI.INT64_T], dest=0, tag=TAG_LENGTHS)
        return

    parts = {0: simulate_channel(0, args.mean_reads)}
    for _ in range(size - 1):
        source, lengths = receive_lengths(comm)
        parts[source] = lengths

    everything = np.concatenate([parts[r] for r in sorted(parts)])
    print(f"reads  : {len(everything)}")
    print(f"mean   : {everything.mean():.1f}")
    print(f"N50    : {n50(everything)}")
    print(f"longest: {everything.max()}")


if __name__ == "__main__":
    main()
