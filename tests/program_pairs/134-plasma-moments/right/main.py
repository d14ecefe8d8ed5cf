"""Velocity moments of a particle plasma, reduced over all ranks and written as a table."""
import logging
import sys

import numpy as np
from mpi4py import MPI

log = logging.getLogger("moments")

REGISTRY = {}


def moment(name):
    def register(func):
        REGISTRY[name] = func
        return func
    return register


@moment("density")
def density(v):
    return np.ones(len(v))


@moment("flux_x")
def flux_x(v):
    return v[:, 0]


@moment("flux_y")
def flux_y(v):
    return v[:, 1]


@moment("pressure")
def pressure(v):
    return (v ** 2).sum(axis=1) / 3.0


@moment("heat")
def heat(v):
    return 0.5 * (v ** 2).sum(axis=1) * np.linalg.norm(v, axis=1)


class Plasma:
    def __init__(self, comm, total, cells, seed=5):
        n = total // comm.size + (comm.rank < total % comm.size)
        rng = np.random.default_rng([seed, comm.rank])
        self.comm, self.cells = comm, cells
        self.x = rng.random(n)
        self.v = rng.standard_normal((n, 3)) * (1.0 + self.x[:, None]) + np.array([0.5, 0.1, 0.0])

    def push(self, dt):
        self.x = (self.x + dt * self.v[:, 0]) % 1.0

    def deposit(self, name):
        cell = np.minimum((self.x * self.cells).astype(int), self.cells - 1)
        return np.bincount(cell, weights=REGISTRY[name](self.v), minlength=self.cells)

    def reduce_moments(self, names):
        result = {}
        for name in names:
            grid = self.deposit(name)
            self.comm.Allreduce(MPI.IN_PLACE, grid, op=MPI.SUM)
            result[name] = grid
        return result


def select(wanted):
    unknown = set(wanted) - set(REGISTRY)
    if unknown:
        log.warning("ignored: %s", ", ".join(sorted(unknown)))
    return sorted(set(wanted) & set(REGISTRY))


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.ERROR, stream=sys.stdout)
    names = select(sys.argv[1:] or ["density", "flux_x", "flux_y", "pressure", "heat"])
    plasma = Plasma(comm, total=6001, cells=8)
    for step in range(3):
        plasma.push(0.05)
    table = plasma.reduce_moments(names)
    if comm.rank == 0:
        for name in sorted(table):
            print(f"{name:10s}", " ".join(f"{x:9.2f}" for x in table[name]))


if __name__ == "__main__":
    main()
