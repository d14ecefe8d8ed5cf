"""Finite-volume solver for the inviscid Burgers equation on a periodic line."""
import argparse
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Grid:
    n_global: int
    length: float
    comm: MPI.Comm

    def __post_init__(self):
        size, rank = self.comm.Get_size(), self.comm.Get_rank()
        base, extra = divmod(self.n_global, size)
        self.n = base + (1 if rank < extra else 0)
        self.start = rank * base + min(rank, extra)
        self.dx = self.length / self.n_global
        self.left = (rank - 1) % size
        self.right = (rank + 1) % size

    @property
    def centers(self):
        return (self.start + np.arange(self.n) + 0.5) * self.dx


class Burgers:
    def __init__(self, grid: Grid, cfl: float = 0.45):
        self.grid = grid
        self.comm = grid.comm
        self.cfl = cfl
        self.u = np.zeros(grid.n + 2)
        x = grid.centers
        self.u[1:-1] = 1.2 + 0.8 * np.exp(-((x - 0.25 * grid.length) / 0.1) ** 2)
        self.time = 0.0
        self.steps = 0

    def exchange(self):
        g, u = self.grid, self.u
        self.comm.Sendrecv(u[-2:-1], dest=g.right, sendtag=1,
                           recvbuf=u[0:1], source=g.left, recvtag=1)
        self.comm.Sendrecv(u[1:2], dest=g.left, sendtag=2,
                           recvbuf=u[-1:], source=g.right, recvtag=2)

    def stable_dt(self, t_end):
        speed = np.abs(self.u[1:-1]).max()
        speed = self.comm.allreduce(speed, op=MPI.MAX)
        dt = self.cfl * self.grid.dx / max(speed, 1e-12)
        return min(dt, t_end - self.time)

    def step(self, dt):
        self.exchange()
        u = self.u
        flux = 0.5 * u[:-1] ** 2
        u[1:-1] -= dt / self.grid.dx * (flux[1:] - flux[:-1])
        self.time += dt
        self.steps += 1

    def run(self, t_end):
        while self.time < t_end:
            self.step(self.stable_dt(t_end))

    def mass(self):
        return self.comm.allreduce(self.u[1:-1].sum() * self.grid.dx)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=400)
    parser.add_argument("--t-end", type=float, default=0.2)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    solver = Burgers(Grid(args.cells, 1.0, comm))
    m0 = solver.mass()
    solver.run(args.t_end)
    m1 = solver.mass()
    if comm.Get_rank() == 0:
        print(f"steps={solver.steps} t={solver.time:.4f} mass {m0:.8f} -> {m1:.8f}")


if __name__ == "__main__":
    main()
