"""Damped Jacobi for -u'' = f on a distributed interval."""
import numpy as np
from mpi4py import MPI

from fields import DistributedField, laplacian_residual

N = 400
SWEEPS = 200
OMEGA = 0.8


def main():
    comm = MPI.COMM_WORLD
    u = DistributedField(comm, N)
    f = DistributedField(comm, N)
    f.fill(lambda x: np.sin(np.pi * x) * np.pi ** 2)
    h2 = u.spacing ** 2

    first = None
    for sweep in range(SWEEPS):
        u.exchange()
        res = laplacian_residual(u, f)
        if first is None:
            first = res.norm
        u.interior[:] += OMEGA * 0.5 * h2 * res.interior

    if comm.rank == 0:
        print(f"{SWEEPS} sweeps on {N} points, {comm.size} ranks")
        print(f"first residual {first:.4e}")
        print(f"norm of the solution {u.norm:.4e}")

    u.exchange()
    last = laplacian_residual(u, f).norm
    if last > first:
        raise RuntimeError("relaxation diverges")


if __name__ == "__main__":
    main()
