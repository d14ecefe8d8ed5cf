"""Basins of attraction of Newton's method, rendered by a farm of workers."""
import argparse
import logging
import sys
import time

from mpi4py import MPI

from basins.checks import checksum, reference_mismatch
from basins.config import RenderConfig
from basins.farm import Farm
from basins.tiling import make_tiles


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=192)
    ap.add_argument("--degree", type=int, default=5)
    ap.add_argument("--max-iter", type=int, default=40)
    ap.add_argument("--seed", type=int, default=1, help="seed of the tiling")
    ap.add_argument("--no-verify", action="store_true")
    a = ap.parse_args()
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format=f"[{comm.rank}] %(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    cfg = RenderConfig(a.size, a.degree, a.max_iter, a.seed)
    tiles = make_tiles(cfg)

    start = time.perf_counter()
    image = Farm(comm, cfg).render(tiles)
    wrong = 0
    if comm.rank == 0:
        logging.info("%d tiles in %.2f s, checksum %.6f", len(tiles),
                     time.perf_counter() - start, checksum(image))
        if not a.no_verify:
            wrong = reference_mismatch(image, cfg)
            logging.info("%d of %d pixels differ from the direct rendering",
                         wrong, image.size)
    sys.exit(1 if comm.bcast(wrong, root=0) else 0)


if __name__ == "__main__":
    main()
