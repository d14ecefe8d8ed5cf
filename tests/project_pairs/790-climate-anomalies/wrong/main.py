"""Climatology and warming pattern of a model run, years shared among ranks."""
import argparse

import numpy as np
from mpi4py import MPI

from archive import NLAT, NLON, load_year
from streaming import Extremes, Mean


def area_mean(field):
    weight = np.cos(np.radians(np.linspace(-85, 85, NLAT)))
    return float((field.mean(axis=1) * weight).sum() / weight.sum())


def collect(comm, years, *stats):
    for year in years[comm.rank::comm.size]:
        fields = load_year(year)
        for stat in stats:
            stat.add(fields)
    return [stat.combine(comm) for stat in stats]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--first", type=int, default=1991)
    ap.add_argument("--last", type=int, default=2004)
    ap.add_argument("--base", type=int, default=2000, help="year compared with the mean")
    ap.add_argument("--check", action=argparse.BooleanOptionalAction, default=True)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    years = list(range(args.first, args.last + 1))
    shape = (NLAT, NLON)
    climate, spread = collect(comm, years, Mean(shape), Extremes(shape))

    if comm.rank == 0:
        anomaly = area_mean(load_year(args.base).mean(axis=0) - climate)
        print(f"climatology {area_mean(climate):.6f} K, spread {area_mean(spread):.3f} K")
        print(f"anomaly of {args.base}: {anomaly:+.6f} K")
        if args.check:
            days = np.concatenate([load_year(y) for y in years])
            error = float(np.abs(days.mean(axis=0) - climate).max())
            print("PASS" if error < 1e-9 else f"FAIL: off by {error:.2e} K")


if __name__ == "__main__":
    main()
