"""External merge sort: each rank sorts runs to disk, then the root merges them."""
import argparse
import glob
import heapq
import os
import random
import shutil

from mpi4py import MPI


def prepare(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    os.makedirs(path)


def records(rank, run, count):
    rng = random.Random(rank * 1000 + run)
    for _ in range(count):
        yield "%08d %s" % (rng.randrange(10 ** 8), "ACGT"[rng.randrange(4)] * 6)


def write_runs(scratch, rank, runs, count):
    for run in range(runs):
        lines = sorted(records(rank, run, count))
        name = os.path.join(scratch, f"run_{rank:03d}_{run:03d}.txt")
        with open(name, "w") as fh:
            fh.write("\n".join(lines) + "\n")


def merge(scratch, output):
    files = [open(name) for name in sorted(glob.glob(os.path.join(scratch, "run_*.txt")))]
    lines = 0
    previous = ""
    ordered = True
    with open(output, "w") as out:
        for line in heapq.merge(*files):
            ordered = ordered and previous <= line
            previous = line
            out.write(line)
            lines += 1
    for fh in files:
        fh.close()
    return lines, ordered


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scratch", default="scratch")
    parser.add_argument("--output", default="sorted.txt")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--count", type=int, default=2000)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD

    if comm.rank == 0:
        prepare(args.scratch)
    comm.Barrier()
    write_runs(args.scratch, comm.rank, args.runs, args.count)
    comm.Barrier()
    if comm.rank == 0:
        lines, ordered = merge(args.scratch, args.output)
        print(f"{lines} of {comm.size * args.runs * args.count} lines, ordered: {ordered}")
        shutil.rmtree(args.scratch)
        os.remove(args.output)


if __name__ == "__main__":
    main()
