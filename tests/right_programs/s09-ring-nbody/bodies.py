from functools import cached_property

import numpy as np
from mpi4py import MPI


def cluster(n, seed=3):
    rng = np.random.default_rng(seed)
    bodies = np.empty((n, 7))
    bodies[:, :3] = rng.normal(size=(n, 3))
    bodies[:, 3:6] = 0.1 * rng.normal(size=(n, 3))
    bodies[:, 6] = rng.uniform(0.5, 1.5, n) / n
    return bodies


def pull(positions, block, eps=0.05):
    """Acceleration by the bodies in block; rows without mass do nothing."""
    gap = block[None, :, :3] - positions[:, None, :]
    r2 = (gap ** 2).sum(axis=2) + eps * eps
    return (gap * (block[:, 3] / r2 ** 1.5)[:, :, None]).sum(axis=1)


class Swarm:
    def __init__(self, comm, everyone):
        self.comm = comm
        self.total = len(everyone)
        self.slots = -(-self.total // comm.size)
        rows = slice(comm.rank * self.slots, (comm.rank + 1) * self.slots)
        self.x, self.v, self.m = np.split(everyone[rows].copy(), [3, 6], axis=1)

    def padded(self):
        block = np.zeros((self.slots, 4))
        block[:len(self.x), :3], block[:len(self.x), 3:] = self.x, self.m
        return block

    def kick(self, carousel, dt):
        parts = dict.fromkeys(range(self.comm.size))
        for home, block in carousel.turns(self.padded()):
            parts[home] = pull(self.x, block)
        self.v += dt * sum(parts.values())
        self.__dict__.pop("kinetic", None)

    def drift(self, dt):
        self.x += dt * self.v

    @cached_property
    def kinetic(self):
        return self.comm.allreduce(float(0.5 * (self.m * self.v ** 2).sum()))

    @property
    def momentum(self):
        out = np.empty(3)
        self.comm.Allreduce((self.m * self.v).sum(axis=0), out, op=MPI.SUM)
        return out

    def collect(self):
        flat = np.full((self.comm.size, self.slots, 3), np.nan)
        mine = np.full((self.slots, 3), np.nan)
        mine[:len(self.x)] = self.x
        self.comm.Allgather(mine, flat)
        return flat.reshape(-1, 3)[:self.total]
