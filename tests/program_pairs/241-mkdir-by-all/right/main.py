#!/usr/bin/env python3
"""Bootstrap confidence interval; each rank stores its replicates."""
import os
import sys
import numpy as np
from mpi4py import MPI


def ensure_dir(comm, path):
    if comm.rank == 0 and not os.path.isdir(path):
        os.makedirs(path)
    comm.Barrier()
    return path


def bootstrap(sample, n, rng):
    idx = rng.integers(0, len(sample), size=(n, len(sample)))
    return sample[idx].mean(axis=1)


def store(folder, rank, values):
    name = os.path.join(folder, "rep_%02d.npy" % rank)
    np.save(name, values)
    return name


def main():
    comm = MPI.COMM_WORLD
    outdir = sys.argv[1] if len(sys.argv) > 1 else "replicates"
    sample = np.random.default_rng(0).exponential(2.0, size=80)

    comm.Barrier()
    folder = ensure_dir(comm, os.path.join(outdir, "boot"))
    reps = bootstrap(sample, 500, np.random.default_rng([1, comm.rank]))
    name = store(folder, comm.rank, reps)
    names = comm.gather(name, root=0)

    if comm.rank == 0:
        pooled = np.concatenate([np.load(n) for n in names])
        lo, hi = np.percentile(pooled, [2.5, 97.5])
        print("%d replicates, 95%% interval %.3f .. %.3f" % (pooled.size, lo, hi))


if __name__ == "__main__":
    main()
