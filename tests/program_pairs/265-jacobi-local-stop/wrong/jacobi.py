"""Steady temperature of a plate, Jacobi iteration, row-block decomposition."""
import argparse

import numpy as np
from mpi4py import MPI


class Plate:
    def __init__(self, comm, nx, ny, hot=100.0):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        rows = nx // self.size
        extra = nx % self.size
        self.nloc = rows + (1 if self.rank < extra else 0)
        self.ny = ny
        self.u = np.zeros((self.nloc + 2, ny))
        if self.rank == 0:
            self.u[0, :] = hot
        self.up = self.rank - 1 if self.rank > 0 else MPI.PROC_NULL
        self.down = self.rank + 1 if self.rank < self.size - 1 else MPI.PROC_NULL

    def exchange(self):
        u = self.u
        top = u[0].copy()
        bottom = u[-1].copy()
        self.comm.Sendrecv(u[1], dest=self.up, sendtag=1,
                           recvbuf=bottom, source=self.down, recvtag=1)
        self.comm.Sendrecv(u[-2], dest=self.down, sendtag=2,
                           recvbuf=top, source=self.up, recvtag=2)
        u[0] = top
        u[-1] = bottom

    def sweep(self):
        u = self.u
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1]
                                  + u[1:-1, :-2] + u[1:-1, 2:])
        diff = np.abs(new - u).max()
        self.u = new
        return diff


def solve(plate, tol, max_iter):
    it = 0
    residual = np.inf
    while residual > tol and it < max_iter:
        plate.exchange()
        residual = plate.sweep()
        it += 1
    return it, residual


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nx", type=int, default=30)
    parser.add_argument("--ny", type=int, default=30)
    parser.add_argument("--tol", type=float, default=1e-3)
    parser.add_argument("--max-iter", type=int, default=20000)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    plate = Plate(comm, args.nx, args.ny)
    it, residual = solve(plate, args.tol, args.max_iter)

    heat = comm.reduce(plate.u[1:-1].sum(), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"converged after {it} sweeps, residual {residual:.2e}")
        print(f"mean temperature {heat / (args.nx * args.ny):.5f}")


if __name__ == "__main__":
    main()
