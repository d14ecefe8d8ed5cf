"""Gauss-Seidel relaxation in bands; the residual is checked as rarely as is worth it."""
import argparse
import time

import numpy as np
from mpi4py import MPI


class Band:
    def __init__(self, comm, n):
        self.comm = comm
        weights = np.arange(1, comm.size + 1)
        cuts = np.concatenate([[0], np.cumsum(weights) * n // weights.sum()])
        self.rows = int(cuts[comm.rank + 1] - cuts[comm.rank])
        self.u = np.zeros((self.rows + 2, n))
        if comm.rank == 0:
            self.u[0] = 1.0
        self.up = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.down = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def exchange(self):
        self.comm.Sendrecv(self.u[1], dest=self.up, recvbuf=self.u[-1], source=self.down)
        self.comm.Sendrecv(self.u[-2], dest=self.down, recvbuf=self.u[0], source=self.up)

    def sweep(self):
        u = self.u
        for i in range(1, self.rows + 1):
            u[i, 1:-1] = 0.25 * (u[i - 1, 1:-1] + u[i + 1, 1:-1] + u[i, :-2] + u[i, 2:])

    def residual(self):
        u = self.u
        r = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        return self.comm.allreduce(float(np.abs(r).max()), op=MPI.MAX)


def tune_interval(band, budget=2e-3, lowest=1, highest=40):
    """So many sweeps between two checks that a check costs little beside them."""
    start = time.perf_counter()
    for _ in range(3):
        band.exchange()
        band.sweep()
    per_sweep = (time.perf_counter() - start) / 3
    return int(np.clip(round(budget / per_sweep), lowest, highest))


def relax(band, tol, max_sweeps):
    every = tune_interval(band)
    sweeps = 0
    while sweeps < max_sweeps:
        band.exchange()
        band.sweep()
        sweeps += 1
        if sweeps % every == 0 and band.residual() < tol:
            break
    return sweeps, every


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--tol", type=float, default=1e-4)
    parser.add_argument("--max-sweeps", type=int, default=4000)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    band = Band(comm, args.n)
    sweeps, every = relax(band, args.tol, args.max_sweeps)
    total = comm.allreduce(float(band.u[1:-1].sum()))
    final = band.residual()
    if comm.rank == 0:
        print(f"{sweeps} sweeps (checked every {every}), residual {final:.1e}, sum {total:.4f}")


if __name__ == "__main__":
    main()
