"""Steady temperature of a square plate with Jacobi iterations.

Upper edge is kept at 100 degrees, the other edges at 0. The rows of the plate
are distributed, every process keeps one halo row above and one below.
"""
import argparse

import numpy as np
from mpi4py import MPI


def exchange(comm, u):
    rank, size = comm.Get_rank(), comm.Get_size()
    reqs = []
    if rank > 0:
        reqs += [comm.Isend(u[1], dest=rank - 1, tag=10),
                 comm.Irecv(u[0], source=rank - 1, tag=20)]
    if rank < size - 1:
        reqs += [comm.Isend(u[-2], dest=rank + 1, tag=20),
                 comm.Irecv(u[-1], source=rank + 1, tag=10)]
    MPI.Request.Waitall(reqs)


def sweep(u, unew):
    unew[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1]
                               + u[1:-1, :-2] + u[1:-1, 2:])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=96)
    ap.add_argument("--iters", type=int, default=200)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    rows = args.n // size + (1 if rank < args.n % size else 0)

    u = np.zeros((rows + 2, args.n + 2))
    if rank == 0:
        u[0, :] = 100.0
    unew = u.copy()

    change = 0.0
    for _ in range(args.iters):
        exchange(comm, u)
        sweep(u, unew)
        change = np.abs(unew[1:-1] - u[1:-1]).max()
        u, unew = unew, u

    change = comm.reduce(change, op=MPI.MAX, root=0)
    heat = comm.reduce(u[1:-1, 1:-1].sum(), op=MPI.SUM, root=0)
    if rank == 0:
        print(f"mean temperature {heat / args.n ** 2:.8f}")
        print(f"last change      {change:.8f}")


if __name__ == "__main__":
    main()
