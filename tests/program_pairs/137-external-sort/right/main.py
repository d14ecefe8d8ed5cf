"""External sort: each rank writes a sorted run into a scratch directory, rank 0 merges the runs."""
import argparse
import contextlib
import heapq
import shutil
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI


@contextlib.contextmanager
def scratch_space(comm, parent=".", prefix="extsort_"):
    path = None
    if comm.rank == 0:
        path = tempfile.mkdtemp(prefix=prefix, dir=parent)
    path = comm.bcast(path, root=0)
    yield Path(path)
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path, ignore_errors=True)


def keys_of(rank, n):
    rng = np.random.default_rng(70 + rank)
    return rng.integers(0, 10**9, size=n)


def write_runs(scratch, rank, keys, chunk):
    names = []
    for i, start in enumerate(range(0, len(keys), chunk)):
        run = np.sort(keys[start:start + chunk])
        name = scratch / f"run_{rank:04d}_{i:04d}.npy"
        np.save(name, run)
        names.append(name)
    return names


def merge(scratch, target):
    runs = [np.load(p, mmap_mode="r") for p in sorted(scratch.glob("run_*.npy"))]
    merged = np.fromiter(heapq.merge(*runs), dtype=np.int64)
    np.save(target, merged)
    return merged


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--keys", type=int, default=2500, help="keys per rank")
    ap.add_argument("--chunk", type=int, default=600)
    ap.add_argument("--out", default="sorted.npy")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    keys = keys_of(comm.rank, args.keys)
    with scratch_space(comm) as scratch:
        names = write_runs(scratch, comm.rank, keys, args.chunk)
        nruns = comm.reduce(len(names), op=MPI.SUM, root=0)
        comm.Barrier()
        if comm.rank == 0:
            merged = merge(scratch, args.out)
            print(f"{nruns} runs, {len(merged)} keys in {args.out}, "
                  f"sorted {bool((np.diff(merged) >= 0).all())}")
    checksum = comm.reduce(int(keys.sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print("checksum agrees:", checksum == int(np.load(args.out).sum()))


if __name__ == "__main__":
    main()
