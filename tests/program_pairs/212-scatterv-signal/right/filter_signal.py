"""Smooth a long record: scatter unequal pieces, filter, gather again."""
import argparse

import numpy as np
from mpi4py import MPI


def make_record(n):
    t = np.arange(n) / n
    rng = np.random.default_rng(6)
    return np.sin(40 * t) + 0.3 * rng.standard_normal(n)


def partition(n, size):
    counts = np.full(size, n // size, dtype=int)
    counts[: n % size] += 1
    displs = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return counts, displs


def smooth(x, width):
    pad = np.pad(x, (width, width), mode="edge")
    kernel = np.ones(2 * width + 1) / (2 * width + 1)
    return np.convolve(pad, kernel, mode="valid")


def parse_args():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("-n", "--samples", type=int, default=10_007)
    p.add_argument("-w", "--width", type=int, default=15)
    return p.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    me = comm.Get_rank()

    if me == 0:
        record = make_record(args.samples)
        counts, displs = partition(len(record), comm.Get_size())
        sendbuf = [record, counts, displs, MPI.DOUBLE]
        result = np.empty_like(record)
        recvbuf = [result, counts, displs, MPI.DOUBLE]
    else:
        counts, displs = partition(args.samples, comm.Get_size())
        sendbuf = recvbuf = None

    piece = np.empty(counts[me], dtype=np.float64)
    comm.Scatterv(sendbuf, piece, root=0)

    piece = smooth(piece, args.width)
    local_power = float(np.dot(piece, piece))

    comm.Gatherv(piece, recvbuf, root=0)
    power = comm.reduce(local_power, op=MPI.SUM, root=0)

    if me == 0:
        noise = np.std(record - result)
        print(f"{len(result)} samples in pieces of {list(map(int, counts))}")
        print(f"removed noise {noise:.4f}, power {power / len(result):.4f}")


if __name__ == "__main__":
    main()
