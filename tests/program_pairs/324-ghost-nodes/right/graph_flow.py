"""Heat flow on a random geometric graph whose nodes are distributed over the processes."""
import argparse

import numpy as np
from mpi4py import MPI


def geometric_graph(n, radius, seed=9):
    points = np.random.default_rng(seed).random((n, 2))
    points = points[np.argsort(points[:, 0])]
    d2 = ((points[:, None] - points[None]) ** 2).sum(-1)
    i, j = np.nonzero((d2 < radius ** 2) & ~np.eye(n, dtype=bool))
    return points, i, j


class Part:
    """Own nodes first, then copies of the neighbours that other processes own."""

    def __init__(self, comm, n, src, dst):
        self.comm = comm
        starts = np.array([n * p // comm.size for p in range(comm.size + 1)])
        self.lo, self.hi = starts[comm.rank], starts[comm.rank + 1]
        mine = (src >= self.lo) & (src < self.hi)
        src, dst = src[mine], dst[mine]
        ghosts = np.unique(dst[(dst < self.lo) | (dst >= self.hi)])
        owner = np.searchsorted(starts, ghosts, side="right") - 1
        local = {int(g): k for k, g in enumerate(np.concatenate([np.arange(self.lo, self.hi), ghosts]))}
        self.src = src - self.lo
        self.dst = np.array([local[int(g)] for g in dst], dtype=int)
        self.n_own = self.hi - self.lo
        self.u = np.zeros(self.n_own + len(ghosts))
        self.recv_at = {p: self.n_own + np.flatnonzero(owner == p)
                        for p in range(comm.size) if (owner == p).any()}
        asked = comm.alltoall([ghosts[owner == p] - starts[p] for p in range(comm.size)])
        self.send_at = {p: idx for p, idx in enumerate(asked) if len(idx)}

    def exchange(self):
        requests = [self.comm.Isend(self.u[idx], dest=p) for p, idx in self.send_at.items()]
        for p, idx in self.recv_at.items():
            values = np.empty(len(idx))
            self.comm.Recv(values, source=p)
            self.u[idx] = values
        MPI.Request.Waitall(requests)

    def step(self, rate):
        self.exchange()
        flow = np.zeros(self.n_own)
        np.add.at(flow, self.src, self.u[self.dst] - self.u[self.src])
        self.u[:self.n_own] += rate * flow

    def heat(self):
        return self.comm.allreduce(float(self.u[:self.n_own].sum()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--radius", type=float, default=0.13)
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    points, src, dst = geometric_graph(args.nodes, args.radius)
    part = Part(comm, args.nodes, src, dst)
    own = points[part.lo:part.hi]
    part.u[:part.n_own] = np.where(own[:, 0] < 0.5, 1.0, 0.0)
    before = part.heat()
    for _ in range(args.steps):
        part.step(rate=0.01)
    after = part.heat()
    if comm.rank == 0:
        print(f"heat {before:.6f} -> {after:.6f}, first node {part.u[0]:.6f}")


if __name__ == "__main__":
    main()
