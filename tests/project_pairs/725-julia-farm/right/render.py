"""Render a Julia set with the farm.  usage: render.py [width height thickness]"""
import sys
from functools import partial

import numpy as np
from mpi4py import MPI

from farm import farm_out
from julia import bands, escape


def main(argv):
    width, height, thickness = map(int, argv[1:4]) if len(argv) > 3 else (60, 40, 20)
    comm = MPI.COMM_WORLD
    pieces = farm_out(comm, bands(height, thickness),
                      partial(escape, width=width, height=height))
    if comm.rank == 0:
        image = np.zeros((height, width), dtype=np.int32)
        for (top, bottom), rows in pieces:
            image[top:bottom] = rows
        print(f"{len(pieces)} bands, mean escape {image.mean():.4f}, "
              f"inside {int((image == image.max()).sum())}", flush=True)


if __name__ == "__main__":
    main(sys.argv)
