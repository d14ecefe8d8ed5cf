import sys
import time

import numpy as np
from mpi4py import MPI

from volume import open_volume, read_volume

SHAPE = (24, 64, 64)


def reconstruct(z):
    """Fake back-projection of slice z (denser slices take longer)."""
    time.sleep(0.002 * (z % 5))
    y, x = np.mgrid[:SHAPE[1], :SHAPE[2]]
    r2 = (y - 32) ** 2 + (x - 32) ** 2
    return 1.0 + z + (r2 < 20 + 8 * z)


def main(path="scan.raw"):
    comm = MPI.COMM_WORLD
    per = -(-SHAPE[0] // comm.size)
    mine = range(comm.rank * per, min((comm.rank + 1) * per, SHAPE[0]))

    # geometry calibration is heavier on the later ranks
    time.sleep(0.15 * comm.rank)

    with open_volume(path, SHAPE, comm) as vol:
        for z in mine:
            vol[z] = reconstruct(z)

    if comm.rank == 0:
        vol = read_volume(path)
        empty = [z for z in range(SHAPE[0]) if not vol[z].any()]
        print("mean", float(vol.mean()), "empty slices", empty)
        return 1 if empty else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
