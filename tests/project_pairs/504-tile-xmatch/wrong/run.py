import argparse
import logging

import numpy as np
from mpi4py import MPI

from survey import CrossMatcher, simulate

SETTINGS = {
    "radius_deg": 0.004,
    "mag_limit": 21.5,
    "footprint": (-1.0, 3.0),
}


def cli():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", "--sources", type=int, default=1500)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--jitter", type=float, default=2e-4)
    ap.add_argument("-v", "--verbose", action="store_true")
    return ap.parse_args()


def main():
    args = cli()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if args.verbose else logging.WARNING)

    reference = simulate(args.sources, args.seed)
    observed = simulate(args.sources, args.seed, jitter=args.jitter)
    observed.ra += 1.1e-3
    observed.dec -= 0.6e-3

    matcher = CrossMatcher(comm, SETTINGS)
    found = matcher.process(reference, observed)
    tables = comm.gather(found, root=0)
    if comm.rank == 0:
        table = np.vstack(tables)
        print(f"matched {len(table)} sources in {len(tables)} strips")
        print("per strip:", [len(t) for t in tables])
        print("offset [arcsec]:", np.round(matcher.offset * 3600, 3))
        print("rms dmag:", float(np.sqrt((table[:, 2] ** 2).mean())))


if __name__ == "__main__":
    main()
