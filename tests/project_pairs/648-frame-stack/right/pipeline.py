import argparse
import logging
import os

import numpy as np
from mpi4py import MPI

from stages import Calibrate, Combine


def setup_logging(rank, verbose):
    level = logging.INFO if verbose or rank == 0 else logging.WARNING
    logging.basicConfig(level=level, format=f"[{rank}] %(message)s")


def find_peaks(img, nsigma=8.0):
    med = np.median(img)
    mad = 1.4826 * np.median(np.abs(img - med))
    core = img[1:-1, 1:-1]
    top = np.ones_like(core, bool)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            top &= core >= img[1 + dy:img.shape[0] - 1 + dy, 1 + dx:img.shape[1] - 1 + dx]
    ys, xs = np.nonzero(top & (core > med + nsigma * mad))
    return list(zip(ys + 1, xs + 1))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--frames", type=int, default=13)
    ap.add_argument("--workdir", default="work")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    setup_logging(comm.rank, args.verbose)
    if comm.rank == 0:
        os.makedirs(args.workdir, exist_ok=True)
    comm.Barrier()

    done = Calibrate(comm, args.workdir)(args.frames)
    logging.getLogger("pipeline").info("calibrated %d frames here", done)
    comm.Barrier()
    stack = Combine(comm, args.workdir)(args.frames)

    if comm.rank == 0:
        np.save(os.path.join(args.workdir, "stack.npy"), stack)
        for y, x in find_peaks(stack):
            print(f"source at y={y} x={x}  peak={stack[y, x]:.1f}")


if __name__ == "__main__":
    main()
