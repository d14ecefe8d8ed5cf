"""Rotation periods of spotted stars, median over the sectors."""
import argparse
import logging
from collections import defaultdict

import numpy as np
from mpi4py import MPI

from .sector import SectorJob
from .survey import Survey


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stars", type=int, default=13)
    parser.add_argument("--sectors", type=int, default=4)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")

    comm = MPI.COMM_WORLD
    survey = Survey(args.stars, args.sectors)
    job = SectorJob(comm, survey, range(comm.rank, args.stars, comm.size))

    found = defaultdict(list)
    for sector in range(args.sectors):
        periods = job.measure(sector)
        for star, period in (periods or {}).items():
            found[star].append(period)

    parts = comm.gather(dict(found), root=0)
    if comm.rank == 0:
        catalogue = {star: p for part in parts for star, p in part.items()}
        for star in sorted(catalogue):
            values = catalogue[star]
            print(f"star {star:3d}  period {np.median(values):7.3f}"
                  f"  true {survey.period(star):7.3f}  sectors {len(values)}")
