"""Dust grains in a periodic channel; grains move to the process that owns their slab."""
import argparse

import numpy as np
from mpi4py import MPI

FIELDS = 4  # x, y, vx, vy


class Channel:
    def __init__(self, comm, n_total, length=10.0):
        self.comm = comm
        self.length = length
        self.width = length / comm.size
        rng = np.random.default_rng(77)
        grains = np.empty((n_total, FIELDS))
        grains[:, 0] = rng.beta(2, 5, n_total) * length
        grains[:, 1] = rng.random(n_total)
        grains[:, 2] = rng.normal(1.0, 0.8, n_total)
        grains[:, 3] = rng.normal(0.0, 0.2, n_total)
        self.grains = grains[self.owner(grains) == comm.rank]

    def owner(self, grains):
        return np.minimum((grains[:, 0] / self.width).astype(int), self.comm.size - 1)

    def move(self, dt):
        g = self.grains
        g[:, 0] = (g[:, 0] + dt * g[:, 2]) % self.length
        g[:, 1] += dt * g[:, 3]
        outside = (g[:, 1] < 0) | (g[:, 1] > 1)
        g[outside, 3] *= -1
        g[:, 1] = np.clip(g[:, 1], 0, 1)

    def migrate(self):
        dest = self.owner(self.grains)
        order = np.argsort(dest, kind="stable")
        outgoing = np.ascontiguousarray(self.grains[order])
        send = np.bincount(dest, minlength=self.comm.size) * FIELDS
        recv = send.copy()
        incoming = np.empty(recv.sum())
        self.comm.Alltoallv([outgoing, send, displacements(send), MPI.DOUBLE],
                            [incoming, recv, displacements(recv), MPI.DOUBLE])
        self.grains = incoming.reshape(-1, FIELDS)


def displacements(counts):
    return np.concatenate([[0], np.cumsum(counts)[:-1]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--grains", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--dt", type=float, default=0.05)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    channel = Channel(comm, args.grains)
    for _ in range(args.steps):
        channel.move(args.dt)
        channel.migrate()
    counts = comm.gather(len(channel.grains), root=0)
    momentum = comm.reduce(channel.grains[:, 2].sum(), op=MPI.SUM, root=0)
    misplaced = comm.reduce(int((channel.owner(channel.grains) != comm.rank).sum()), root=0)
    if comm.rank == 0:
        print("grains per process", counts, "sum", sum(counts))
        print(f"momentum {momentum:.6f}, misplaced {misplaced}")


if __name__ == "__main__":
    main()
