"""Cloud columns of uneven cost that are moved between the processes every few steps."""
import argparse

import numpy as np
from mpi4py import MPI

from balance import balanced_bounds, even_bounds, overlap

LEVELS = 2000


class Columns:
    def __init__(self, comm, n):
        self.comm = comm
        self.n = n
        self.bounds = even_bounds(n, comm.size)
        lo, hi = self.range_of(comm.rank)
        base = np.random.default_rng(8).random((n, LEVELS))
        base[2 * n // 3:] += 1.5
        self.q = base[lo:hi].copy()

    def range_of(self, rank):
        return self.bounds[rank], self.bounds[rank + 1]

    def step(self):
        """Saturated columns take more micro-steps; returns the cost of each column."""
        cost = np.ones(len(self.q))
        for k, column in enumerate(self.q):
            cost[k] += int(8 * column.mean())
            for _ in range(int(cost[k])):
                column *= 1 - 1e-4 * column
        return cost

    def rebalance(self, cost):
        """New bounds from the costs of all columns; the columns go to their new owners."""
        me = self.comm.rank
        old_range = self.range_of(me)
        costs = np.ones(self.n)
        costs[old_range[0]:old_range[1]] = cost
        new = balanced_bounds(costs, self.comm.size)
        requests = []
        for p in range(self.comm.size):
            part = overlap(old_range, (new[p], new[p + 1]))
            if part and p != me:
                rows = self.q[part[0] - old_range[0]:part[1] - old_range[0]]
                requests.append(self.comm.Isend(rows, dest=p, tag=part[0]))
        fresh = np.empty((new[me + 1] - new[me], LEVELS))
        for p in range(self.comm.size):
            part = overlap(self.range_of(p), (new[me], new[me + 1]))
            if part is None:
                continue
            target = fresh[part[0] - new[me]:part[1] - new[me]]
            if p == me:
                target[:] = self.q[part[0] - old_range[0]:part[1] - old_range[0]]
            else:
                self.comm.Recv(target, source=p, tag=part[0])
        MPI.Request.Waitall(requests)
        self.q, self.bounds = fresh, new


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=60)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--rebalance-every", type=int, default=4)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    columns = Columns(comm, args.columns)
    for step in range(1, args.steps + 1):
        cost = columns.step()
        if step % args.rebalance_every == 0:
            columns.rebalance(cost)
    water = comm.allreduce(float(columns.q.sum()))
    shares = comm.gather(len(columns.q), root=0)
    if comm.rank == 0:
        print("columns per process", shares, f"water {water:.4f}")


if __name__ == "__main__":
    main()
