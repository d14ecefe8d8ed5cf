"""Stream function of a vortex sheet on the doubly periodic box [0, 2 pi)^2."""
import argparse

import numpy as np
from mpi4py import MPI

from slab import Slab
from spectral import Spectral


def parse():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-n", type=int, default=48, help="points per direction")
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--dt", type=float, default=0.01)
    return ap.parse_args()


def manufactured(slab):
    x = 2 * np.pi * np.arange(slab.n) / slab.n
    y = x[slab.mine]
    xx, yy = np.meshgrid(x, y)
    psi = np.sin(2 * xx) * np.cos(yy) + 0.3 * np.cos(3 * yy + xx)
    omega = 5 * np.sin(2 * xx) * np.cos(yy) + 3.0 * np.cos(3 * yy + xx)
    return psi, omega


def advance(ops, omega, dt):
    psi = ops.poisson(omega)
    psi_x, psi_y = ops.gradient(psi)
    om_x, om_y = ops.gradient(omega)
    return omega - dt * (psi_y * om_x - psi_x * om_y)


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    slab = Slab(comm, args.n)
    ops = Spectral(slab)

    psi, omega = manufactured(slab)
    error = slab.max(np.abs(ops.poisson(omega) - psi).max())
    if comm.rank == 0:
        print(f"poisson error  {error:.3e}")

    for _ in range(args.steps):
        omega = advance(ops, omega, args.dt)
    enstrophy = comm.allreduce(float((omega**2).sum()), op=MPI.SUM) / slab.n**2
    if comm.rank == 0:
        print(f"enstrophy after {args.steps} steps  {enstrophy:.10f}")
        print("OK" if error < 1e-10 else "MISMATCH with the exact stream function")


if __name__ == "__main__":
    main()
