"""Fisher-KPP reaction front on a line, split into equal pieces over the ranks."""
import sys

import numpy as np
from mpi4py import MPI

from journal import Journal

PARAMS = dict(length=40.0, cells=240, diffusivity=1.0, growth=1.0, steps=400, every=100)


class FisherFront:
    def __init__(self, comm, length, cells, diffusivity, growth):
        assert cells % comm.size == 0, "cells must be divisible by the number of ranks"
        self.comm = comm
        self.n = cells // comm.size
        self.dx = length / cells
        self.d = diffusivity
        self.r = growth
        self.dt = 0.2 * self.dx**2 / diffusivity
        self.x = (np.arange(self.n) + comm.rank * self.n + 0.5) * self.dx
        self.u = np.zeros(self.n + 2)
        self.u[1:-1] = np.where(self.x < 2.0, 1.0, 0.0)
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL

    def fill_ghosts(self):
        u, c = self.u, self.comm
        u[0], u[-1] = u[1], u[-2]
        c.Sendrecv(u[1:2], dest=self.left, recvbuf=u[-1:], source=self.right)
        c.Sendrecv(u[-2:-1], dest=self.right, recvbuf=u[0:1], source=self.left)

    def step(self):
        self.fill_ghosts()
        u = self.u
        lap = (u[:-2] - 2 * u[1:-1] + u[2:]) / self.dx**2
        u[1:-1] += self.dt * (self.d * lap + self.r * u[1:-1] * (1 - u[1:-1]))

    def front_position(self):
        ahead = self.x[self.u[1:-1] > 0.5]
        mine = float(ahead.max()) if len(ahead) else 0.0
        return self.comm.allreduce(mine, op=MPI.MAX)

    def mass(self):
        return self.comm.allreduce(float(self.u[1:-1].sum()) * self.dx, op=MPI.SUM)


def run(comm, params, path):
    p = dict(params)
    steps, every = p.pop("steps"), p.pop("every")
    model = FisherFront(comm, **p)
    journal = Journal(comm, path)
    for k in range(1, steps + 1):
        model.step()
        if k % every == 0:
            journal.record(k, k * model.dt, model.front_position(), model.mass())
    journal.close()
    return model.front_position()


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    final = run(world, PARAMS, sys.argv[1] if len(sys.argv) > 1 else "front.dat")
    if world.rank == 0:
        print(f"front at {final:.4f}")
