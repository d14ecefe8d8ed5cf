"""Steady temperature of a plate, strip decomposition, Jacobi sweeps."""
import argparse

import numpy as np
from mpi4py import MPI


class Plate:
    def __init__(self, comm, nx, ny):
        self.comm = comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        base, extra = divmod(ny, self.size)
        self.rows = base + (1 if self.rank < extra else 0)
        self.u = np.zeros((self.rows + 2, nx))
        if self.rank == 0:
            self.u[0, :] = 100.0
        self.u[:, 0] = 25.0
        self.north = self.rank - 1 if self.rank > 0 else MPI.PROC_NULL
        self.south = self.rank + 1 if self.rank < self.size - 1 else MPI.PROC_NULL

    def swap_ghosts(self):
        c, u = self.comm, self.u
        c.Sendrecv(u[1], dest=self.north, sendtag=7,
                   recvbuf=u[-1], source=self.south, recvtag=7)
        c.Sendrecv(u[-2], dest=self.south, sendtag=8,
                   recvbuf=u[0], source=self.north, recvtag=8)

    def sweep(self):
        u = self.u
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] +
                                  u[1:-1, :-2] + u[1:-1, 2:])
        change = np.abs(new - u).max()
        self.u = new
        return change


def solve(plate, tol, max_iter):
    for it in range(1, max_iter + 1):
        plate.swap_ghosts()
        change = plate.sweep()
        if change < tol:
            break
    return it, change


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nx", type=int, default=48)
    ap.add_argument("--ny", type=int, default=40)
    ap.add_argument("--tol", type=float, default=4e-2)
    ap.add_argument("--max-iter", type=int, default=4000)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    plate = Plate(comm, args.nx, args.ny)
    its, change = solve(plate, args.tol, args.max_iter)
    mean = comm.allreduce(float(plate.u[1:-1].sum())) / (args.nx * args.ny)
    if comm.rank == 0:
        print(f"{its} sweeps, last change {change:.2e}, mean T = {mean:.3f}")


if __name__ == "__main__":
    main()
