import argparse
import logging

import numpy as np
from mpi4py import MPI

from beams import BeamSimulator
from volume import PPIScan

CONFIG = {
    "nazimuth": 72,
    "threshold": 1.0,
    "zr_a": 200.0,
    "zr_b": 1.6,
}


def rain_rate(dbz, cfg):
    """Marshall-Palmer Z-R relation"""
    z = 10.0 ** (np.asarray(dbz, dtype=float) / 10.0)
    rr = (z / cfg["zr_a"]) ** (1.0 / cfg["zr_b"])
    rr[np.asarray(dbz) <= 0] = 0.0
    return rr


def setup_logging(rank):
    lvl = logging.INFO if rank == 0 else logging.ERROR
    logging.basicConfig(format="[%(levelname)s] %(message)s", level=lvl)


def main():
    p = argparse.ArgumentParser("ppi")
    p.add_argument("--gates", type=int, default=100)
    p.add_argument("--seed", type=int, default=8)
    o = p.parse_args()

    mpi = MPI.COMM_WORLD
    setup_logging(mpi.rank)
    logging.info("scanning %d azimuths on %d ranks", CONFIG["nazimuth"], mpi.size)

    scan = PPIScan(mpi, BeamSimulator(o.gates, o.seed), CONFIG["nazimuth"])
    full = scan.acquire().despeckle(CONFIG["threshold"]).assemble()

    if mpi.rank == 0:
        rr = rain_rate(full, CONFIG)
        az, gate = np.unravel_index(rr.argmax(), rr.shape)
        print("max dBZ   %.2f" % full.max())
        print("max rain  %.2f mm/h at azimuth index %d gate %d" % (rr.max(), az, gate))
        print("wet area  %.1f %%" % (100.0 * (rr > 0.1).mean()))


if __name__ == "__main__":
    main()
