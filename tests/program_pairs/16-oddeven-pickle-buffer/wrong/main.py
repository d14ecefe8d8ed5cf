"""Parallel odd-even transposition sort of blocks."""
import argparse

import numpy as np
from mpi4py import MPI


class BlockSorter:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()

    def partner(self, phase):
        if (self.rank + phase) % 2 == 0:
            other = self.rank + 1
        else:
            other = self.rank - 1
        return other if 0 <= other < self.size else None

    def exchange(self, keys, other):
        theirs = np.empty_like(keys)
        if self.rank < other:
            self.comm.Send(keys, dest=other, tag=3)
            self.comm.Recv(theirs, source=other, tag=4)
        else:
            mine = keys.copy()
            self.comm.Recv(theirs, source=other, tag=3)
            self.comm.send(mine, dest=other, tag=4)
        return theirs

    def sort(self, keys):
        keys = np.sort(keys)
        for phase in range(self.size):
            other = self.partner(phase)
            if other is None:
                continue
            merged = np.sort(np.concatenate([keys, self.exchange(keys, other)]))
            half = len(keys)
            keys = merged[:half] if self.rank < other else merged[half:]
            keys = np.ascontiguousarray(keys)
        return keys


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--per-rank", type=int, default=1000)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(50 + comm.rank)
    keys = rng.integers(0, 10**6, args.per_rank)
    result = BlockSorter(comm).sort(keys)

    parts = comm.gather(result, root=0)
    before = comm.reduce(int(keys.sum()), root=0)
    if comm.rank == 0:
        flat = np.concatenate(parts)
        print("sorted:", bool(np.all(np.diff(flat) >= 0)),
              "same keys:", int(flat.sum()) == before)


if __name__ == "__main__":
    main()
