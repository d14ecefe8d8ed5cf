"""Lorenz-96 ensemble: each ensemble member is integrated by a group of ranks."""
import argparse

import numpy as np
from mpi4py import MPI


class MemberGroup:
    def __init__(self, world, n_groups):
        self.world = world
        self.n_groups = min(n_groups, world.size)
        self.group_size = world.size // self.n_groups
        self.index = min(world.rank // self.group_size, self.n_groups - 1)
        self.comm = world.Split(color=self.index, key=world.rank)

    @property
    def is_leader(self):
        return self.comm.rank == 0

    def leader_of(self, group):
        return group * self.group_size

    def free(self):
        self.comm.Free()


def tendency(x, forcing, lo, hi):
    n = x.size
    j = np.arange(lo, hi)
    return (x[(j + 1) % n] - x[j - 2]) * x[j - 1] - x[j] + forcing


def integrate(comm, x, forcing, dt, nsteps):
    n = x.size
    edges = np.linspace(0, n, comm.size + 1).astype(int)
    lo, hi = edges[comm.rank], edges[comm.rank + 1]
    counts = np.diff(edges)
    full = np.empty(n)
    for _ in range(nsteps):
        part = x[lo:hi] + dt * tendency(x, forcing, lo, hi)
        comm.Allgatherv(part, [full, counts])
        x = full.copy()
    return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--groups", type=int, default=2)
    ap.add_argument("--members", type=int, default=6)
    ap.add_argument("--steps", type=int, default=100)
    args = ap.parse_args()

    world = MPI.COMM_WORLD
    group = MemberGroup(world, args.groups)
    states = {}
    for member in range(group.index, args.members, group.n_groups):
        rng = np.random.default_rng(1000 + member)
        x0 = 8.0 + 0.01 * rng.standard_normal(40)
        states[member] = integrate(group.comm, x0, 8.0, 0.002, args.steps)

    if group.is_leader and world.rank != 0:
        world.send(states, dest=0, tag=7)
    if world.rank == 0:
        for g in range(1, group.n_groups):
            states.update(world.recv(source=group.leader_of(g), tag=7))
        stack = np.stack([states[m] for m in sorted(states)])
        print(f"{len(stack)} members, mean {stack.mean():.8f}, spread {stack.std(0).mean():.8f}")
    group.free()


if __name__ == "__main__":
    main()
