"""Poisson problem on the unit square with a point-like source, Jacobi sweeps."""
import numpy as np
from mpi4py import MPI

from decomp import Strip

N = 24
TOL = 1e-5
MAX_SWEEPS = 5000


def source(strip):
    h = 1.0 / (N + 1)
    x = (np.arange(strip.start, strip.stop) + 1)[:, None] * h
    y = (np.arange(N) + 1)[None, :] * h
    return 50.0 * np.exp(-80.0 * ((x - 0.2) ** 2 + (y - 0.4) ** 2))


def jacobi(strip, f):
    h2 = (1.0 / (N + 1)) ** 2
    u = strip.field()
    new = strip.field()
    for sweep in range(1, MAX_SWEEPS + 1):
        strip.refresh(u)
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1]
                                  + u[1:-1, :-2] + u[1:-1, 2:] + h2 * f)
        change = np.abs(new[1:-1, 1:-1] - u[1:-1, 1:-1]).max()
        change = strip.comm.allreduce(change, op=MPI.MAX)
        u, new = new, u
        if change < TOL:
            break
    return u, sweep, change


def main():
    comm = MPI.COMM_WORLD
    strip = Strip.build(comm, N)
    u, sweeps, change = jacobi(strip, source(strip))
    peak = comm.reduce(u[1:-1].max(), op=MPI.MAX, root=0)
    total = comm.reduce(u[1:-1, 1:-1].sum(), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"sweeps {sweeps}, last change {change:.2e}")
        print(f"peak {peak:.6f}, integral {total / (N + 1) ** 2:.6f}")


if __name__ == "__main__":
    main()
