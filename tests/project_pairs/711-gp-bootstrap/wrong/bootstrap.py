"""Subsampling bands for GP interpolation; one subsample per rank and round."""
import logging

import numpy as np
from mpi4py import MPI

import gp

COMM = MPI.COMM_WORLD
CONFIG = {"rounds": 10, "scale": 4.0, "grid": np.linspace(0.5, 9.5, 10)}

logging.basicConfig(format="%(levelname)s: %(message)s")
logger = logging.getLogger("bootstrap")


class RunningBand:
    """Mean and variance over all subsamples seen by any rank."""

    def __init__(self, comm, npoints):
        self.comm = comm
        self.n = 0
        self.s1 = np.zeros(npoints)
        self.s2 = np.zeros(npoints)

    def add(self, curve):
        """Take the curves of this round in."""
        curves = self.comm.allgather(curve)
        self.n += len(curves)
        for c in curves:
            self.s1 += c
            self.s2 += c**2

    def result(self):
        mean = self.s1 / self.n
        return mean, np.sqrt(np.maximum(self.s2 / self.n - mean**2, 0.0))


def run(comm, cfg):
    x, y = gp.station_record()
    band = RunningBand(comm, len(cfg["grid"]))
    for i in range(cfg["rounds"]):
        sub_x, sub_y = gp.resample(x, y, seed=[i, comm.rank])
        try:
            curve = gp.fit_predict(sub_x, sub_y, cfg["grid"], cfg["scale"])
        except ValueError as err:
            logger.warning("rank %d round %d skipped: %s", comm.rank, i, err)
            continue
        band.add(curve)
    return band


def main():
    band = run(COMM, CONFIG)
    if COMM.rank == 0:
        if band.n == 0:
            print("no usable subsample")
            return
        mean, sd = band.result()
        print(f"{band.n} subsamples of {CONFIG['rounds'] * COMM.size}")
        for g, m, s in zip(CONFIG["grid"], mean, sd):
            print(f"{g:5.2f} {m:8.4f} +- {s:.4f}")


if __name__ == "__main__":
    main()
