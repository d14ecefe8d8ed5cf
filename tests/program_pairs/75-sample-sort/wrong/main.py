import argparse
import sys

import numpy as np
from mpi4py import MPI

from psort import SampleSort


def is_sorted(comm, part):
    inside = bool(np.all(part[1:] >= part[:-1]))
    ends = comm.allgather((part[0], part[-1]) if len(part) else None)
    ends = [e for e in ends if e is not None]
    across = all(a[1] <= b[0] for a, b in zip(ends, ends[1:]))
    return comm.allreduce(inside and across, op=MPI.LAND)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=20000, help="values per rank")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    rng = np.random.default_rng(900 + comm.rank)
    data = rng.lognormal(mean=0.2 * comm.rank, size=args.n + 13 * comm.rank)
    before = comm.allreduce(len(data)), comm.allreduce(float(data.sum()))

    out = SampleSort(comm).sort(data)

    after = comm.allreduce(len(out)), comm.allreduce(float(out.sum()))
    ok = is_sorted(comm, out)
    sizes = comm.gather(len(out), root=0)
    if comm.rank == 0:
        print("items", before[0], "->", after[0], " sum error %.1e" % abs(after[1] - before[1]))
        print("parts", sizes, "sorted" if ok else "NOT SORTED")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
