#!/usr/bin/env python3
# Odd-even transposition sort, homework 3
#
#   mpirun -n 4 python3 oesort.py 100000
import sys

import numpy as np
from mpi4py import MPI


def partner_of(rank, size, phase):
    """who do I compare-exchange with in this phase? None = nobody"""
    if phase % 2 == 0:
        p = rank + 1
    else:
        p = rank - 1
    if p < 0 or p >= size:
        return None
    return p


def exchange(comm, mine, partner):
    theirs = np.empty_like(mine)
    comm.Sendrecv(mine, dest=partner, recvbuf=theirs, source=partner)
    return theirs


def keep_low(a, b):
    n = len(a)
    return np.sort(np.concatenate([a, b]), kind="mergesort")[:n]


def keep_high(a, b):
    n = len(a)
    return np.sort(np.concatenate([a, b]), kind="mergesort")[-n:]


class OddEvenSorter:
    def __init__(self, comm, trace=False):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        self.trace = trace
        self.swaps = 0

    def phase(self, data, k):
        partner = partner_of(self.rank, self.size, k)
        if partner is None:
            return data
        other = exchange(self.comm, data, partner)
        if self.rank < partner:
            new = keep_low(data, other)
        else:
            new = keep_high(data, other)
        if self.trace and self.rank == 0:
            print("phase", k, "lowest", new[0])
        self.swaps += int((new != data).sum())
        return new

    def sort(self, data):
        data = np.sort(data)
        for k in range(self.size):
            data = self.phase(data, k)
        return data


def is_sorted(comm, data):
    """local order and order over the borders"""
    ok = bool(np.all(data[:-1] <= data[1:]))
    firsts = comm.allgather(data[0])
    lasts = comm.allgather(data[-1])
    for r in range(comm.size - 1):
        if lasts[r] > firsts[r + 1]:
            ok = False
    return comm.allreduce(ok, op=MPI.LAND)


def main():
    comm = MPI.COMM_WORLD
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    if total % comm.size:
        if comm.rank == 0:
            print("length must be divisible by the number of ranks")
        sys.exit(1)
    full = None
    if comm.rank == 0:
        full = np.random.default_rng(123).integers(0, 10 ** 6, size=total)
    local = np.empty(total // comm.size, dtype=np.int64)
    comm.Scatter(full, local, root=0)

    t0 = MPI.Wtime()
    sorter = OddEvenSorter(comm)
    local = sorter.sort(local)
    t1 = MPI.Wtime()

    fine = is_sorted(comm, local)
    swaps = comm.reduce(sorter.swaps, root=0)
    result = np.empty(total, dtype=np.int64) if comm.rank == 0 else None
    comm.Gather(local, result, root=0)
    if comm.rank == 0:
        print("sorted:", fine and bool(np.array_equal(result, np.sort(full))))
        print("moved: ", swaps)
        print("time:   %.4f s" % (t1 - t0))


if __name__ == "__main__":
    main()
