"""Validate sharded sensor files, all or nothing.

Every rank checks its own shards.  A failure on any rank is told to all, and
every rank raises the same exception - nobody is left in a collective."""
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI

from agreement import CollectiveError, collective_try
from shards import load_shard, write_shards

N_SHARDS = 11


def process(comm, directory, n_shards):
    """Mean and variance over all shards (collective)."""
    count, s1, s2 = 0, 0.0, 0.0
    with collective_try(comm, "loading shards"):
        for k in range(comm.rank, n_shards, comm.size):
            data = load_shard(directory / f"shard-{k:02d}.npy")
            count += data.size
            s1 += float(data.sum())
            s2 += float((data ** 2).sum())
    # only reached when every rank has loaded everything
    total = np.zeros(3)
    comm.Allreduce(np.array([count, s1, s2]), total, op=MPI.SUM)
    mean = total[1] / total[0]
    return int(total[0]), mean, total[2] / total[0] - mean ** 2


def main():
    comm = MPI.COMM_WORLD
    directory = tempfile.mkdtemp(prefix="sensors-") if comm.rank == 0 else None
    directory = Path(comm.bcast(directory, root=0))
    status = 0
    try:
        write_shards(comm, directory, N_SHARDS)
        n, mean, var = process(comm, directory, N_SHARDS)
        with collective_try(comm, "verifying"):
            full = np.concatenate([np.load(directory / f"shard-{k:02d}.npy")
                                   for k in range(N_SHARDS)])
            assert n == full.size
            assert np.isclose(mean, full.mean()) and np.isclose(var, full.var())

        comm.Barrier()  # all have read the good files before one is damaged
        if comm.rank == comm.size - 1:
            (directory / "shard-05.npy").write_bytes(b"garbage")
        comm.Barrier()

        caught = None
        try:
            process(comm, directory, N_SHARDS)
        except CollectiveError as exc:
            caught = exc
        assert caught is not None and sorted(caught.failures) == [5 % comm.size]
        if comm.rank == 0:
            print(f"n={n} mean={mean:.4f}; damaged shard was noticed by all: {caught}")
    except CollectiveError as exc:  # raised on all ranks alike
        if comm.rank == 0:
            print(f"giving up: {exc}", file=sys.stderr)
        status = 2
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(directory)
    return status


if __name__ == "__main__":
    sys.exit(main())
