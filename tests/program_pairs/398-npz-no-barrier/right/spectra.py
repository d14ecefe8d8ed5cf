import argparse

import numpy as np
from mpi4py import MPI

from lut import VoigtTable


def line_list(n, seed=4):
    rng = np.random.default_rng(seed)
    return np.column_stack([
        rng.uniform(0, 1000, n),            # centre
        rng.exponential(1.0, n),            # strength
        rng.uniform(0.05, 1.8, n),          # gamma
    ])


def absorption(grid, lines, profile):
    tau = np.zeros_like(grid)
    for nu, s, g in lines:
        lo, hi = np.searchsorted(grid, [nu - 20, nu + 20])
        tau[lo:hi] += s * profile(grid[lo:hi] - nu, g)
    return tau


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lines", type=int, default=5000)
    ap.add_argument("--points", type=int, default=4000)
    ap.add_argument("--table", default="voigt_table.npz")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    profile = VoigtTable(args.table, comm).prepare().load()

    grid = np.linspace(0, 1000, args.points)
    lines = line_list(args.lines)[comm.rank::comm.size]
    tau = absorption(grid, lines, profile)

    total = np.zeros_like(tau) if comm.rank == 0 else None
    comm.Reduce(tau, total, op=MPI.SUM, root=0)
    if comm.rank == 0:
        trans = np.exp(-0.05 * total)
        print("mean transmission %.5f, minimum %.5f" % (trans.mean(), trans.min()))
        np.savetxt("spectrum.dat", np.column_stack([grid, trans]))


if __name__ == "__main__":
    main()
