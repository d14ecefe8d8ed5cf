"""Read depth along a small genome, reads binned by all ranks."""
import argparse
from collections import defaultdict

import numpy as np
from mpi4py import MPI

CHROMOSOMES = {"chrI": 2300, "chrII": 1800, "chrM": 400}
READ_LENGTH = 75


def simulated_reads(n, seed=4):
    """(chromosome, position) of n reads."""
    rng = np.random.default_rng(seed)
    names = list(CHROMOSOMES)
    weights = np.array([CHROMOSOMES[c] for c in names], dtype=float)
    which = rng.choice(len(names), size=n, p=weights / weights.sum())
    return [(names[w], int(rng.integers(0, CHROMOSOMES[names[w]] - READ_LENGTH))) for w in which]


def my_reads(reads, rank, size):
    per_rank = -(-len(reads) // size)
    part = defaultdict(list)
    for chrom, pos in reads[rank * per_rank:(rank + 1) * per_rank]:
        part[chrom].append(pos)
    return part


def depth(starts, length):
    """Number of reads that cover each base."""
    if not starts:
        return np.zeros(length, dtype=np.int64)
    bases = (np.array(starts)[:, None] + np.arange(READ_LENGTH)).ravel()
    return np.bincount(bases, minlength=length)


def total_depth(comm, part, chrom):
    local = depth(part[chrom], CHROMOSOMES[chrom])
    total = np.empty_like(local)
    comm.Allreduce(local, total, op=MPI.SUM)
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--reads", type=int, default=4)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    reads = simulated_reads(args.reads)
    part = my_reads(reads, comm.rank, comm.size)

    covered = 0
    for chrom in CHROMOSOMES:
        d = total_depth(comm, part, chrom)
        covered += int(d.sum())
        if comm.rank == 0:
            print(f"{chrom:6s} mean depth {d.mean():.3f}  max {d.max()}")
    want = len(reads) * READ_LENGTH
    sums = comm.gather(covered, root=0)
    if comm.rank == 0:
        print("covered bases", sums, "expected", want)
        if any(s != want for s in sums):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
