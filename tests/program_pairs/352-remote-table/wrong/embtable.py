"""Embedding table spread over all ranks; batches fetch the rows they need."""
import argparse
import bisect

import numpy as np
from mpi4py import MPI


class ShardedTable:
    def __init__(self, comm, n_rows, dim):
        self.comm, self.dim = comm, dim
        base, extra = divmod(n_rows, comm.size)
        self.first = [r * base + min(r, extra) for r in range(comm.size + 1)]
        self.start = self.first[comm.rank]
        stop = self.first[comm.rank + 1]
        rows = np.arange(self.start, stop)[:, None]
        self.local = np.ascontiguousarray(rows + 0.001 * np.arange(dim)[None, :])
        self.win = MPI.Win.Create(self.local, disp_unit=8 * dim, comm=comm)

    def owner(self, row):
        return bisect.bisect_right(self.first, row) - 1

    def lookup(self, rows):
        out = np.empty((len(rows), self.dim))
        self.win.Lock_all()
        for k, row in enumerate(rows):
            where = self.owner(row)
            self.win.Get(out[k], where, target=row - self.start)
        self.win.Unlock_all()
        return out

    def free(self):
        self.win.Free()


def score(vectors, rows):
    """Sum of a feature that only depends on the row number."""
    return float(vectors[:, 0].sum()), float(sum(rows))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--dim", type=int, default=8)
    p.add_argument("--batch", type=int, default=64)
    a = p.parse_args()
    comm = MPI.COMM_WORLD

    table = ShardedTable(comm, a.rows, a.dim)
    comm.Barrier()
    rng = np.random.default_rng(comm.rank)
    got = want = 0.0
    for _ in range(5):
        rows = [int(x) for x in rng.integers(0, a.rows, a.batch)]
        s, w = score(table.lookup(rows), rows)
        got += s
        want += w
    got, want = comm.allreduce(got), comm.allreduce(want)
    table.free()
    if comm.rank == 0:
        print(f"checksum {got:.1f}, expected {want:.1f}")
        assert np.isclose(got, want)


if __name__ == "__main__":
    main()
