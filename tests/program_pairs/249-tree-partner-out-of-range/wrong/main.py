"""Merge sorted runs along a binary tree, as in the parallel computing course."""
import heapq
import random
import sys

from mpi4py import MPI


class TreeMerge:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()

    def has_partner(self, step):
        return self.rank + step <= self.size

    def run(self, items):
        step = 1
        while step < self.size:
            if self.rank % (2 * step) == 0:
                if self.has_partner(step):
                    other = self.comm.recv(source=self.rank + step, tag=step)
                    items = list(heapq.merge(items, other))
            else:
                self.comm.send(items, dest=self.rank - step, tag=step)
                return None
            step *= 2
        return items


def local_run(rank, n):
    rng = random.Random(rank)
    return sorted(rng.randrange(10 ** 6) for _ in range(n))


def main(n=1000):
    comm = MPI.COMM_WORLD
    merged = TreeMerge(comm).run(local_run(comm.rank, n))
    if merged is not None:
        print("rank", comm.rank, "has", len(merged), "items")
        ok = len(merged) == n * comm.size and all(
            a <= b for a, b in zip(merged, merged[1:]))
        if not ok:
            sys.exit("not sorted")
    comm.Barrier()


if __name__ == "__main__":
    main()
