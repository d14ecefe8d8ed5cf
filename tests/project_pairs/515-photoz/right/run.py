import logging
import os
import sys

import numpy as np
from mpi4py import MPI

from photoz.calibrate import ZeroPoints
from photoz.fit import PhotoZ, quality
from photoz.templates import TemplateGrid

OFFSETS = np.array([0.18, -0.12, 0.05, 0.09, -0.21])


def training_set(grid, n=400):
    rng = np.random.default_rng(2)
    mags, _, truth = grid.mock(n, rng, noise=0.01)
    return mags + OFFSETS, truth


def science_set(grid, rank, n):
    rng = np.random.default_rng([8, rank])
    mags, z, _ = grid.mock(n, rng, noise=0.01)
    return mags + OFFSETS, z


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    n = int(os.environ.get("PHOTOZ_OBJECTS", 300))
    grid = TemplateGrid()

    zp = ZeroPoints(comm)
    zp.train(grid, lambda: training_set(grid))

    mags, truth = science_set(grid, comm.rank, n)
    fitter = PhotoZ(grid, zp)
    local = quality(fitter.estimate(mags), truth)
    total = np.zeros_like(local)
    comm.Allreduce(local, total, op=MPI.SUM)
    rows = comm.gather(local[1] / local[2], root=0)
    if comm.rank == 0:
        print(f"{int(total[2])} objects, bias {total[0] / total[2]:+.5f}, "
              f"outliers {100 * total[1] / total[2]:.2f}%")
        print("outliers per rank:", [f"{100 * r:.1f}%" for r in rows])


if __name__ == "__main__":
    main()
