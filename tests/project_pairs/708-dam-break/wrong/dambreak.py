import argparse
import logging

import numpy as np
from mpi4py import MPI

from swe import Channel

logger = logging.getLogger("dambreak")


def depth(x):
    return np.where(x < 5.0, 2.0, 0.5)


def main(argv=None):
    ap = argparse.ArgumentParser(description="Dam break in a closed channel")
    ap.add_argument("--cells", type=int, default=200)
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--cfl", type=float, default=0.4)
    opts = ap.parse_args(argv)

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING, format="%(message)s")

    ch = Channel(comm, 20.0, opts.cells, opts.cfl)
    ch.set_depth(depth)
    start = ch.volume()
    for n in range(1, opts.steps + 1):
        ch.step()
        if n % 20 == 0:
            vol = ch.volume()
            logger.info("step %3d  t=%.4f  volume=%.6f", n, ch.time, vol)
    drift = (ch.volume() - start) / start

    profile = comm.gather(ch.inner[0].copy(), root=0)
    if comm.rank == 0:
        h = np.concatenate(profile)
        logger.info("t=%.4f volume drift %.2e, depth at gate %.4f", ch.time, drift, h[opts.cells // 4])


if __name__ == "__main__":
    main()
