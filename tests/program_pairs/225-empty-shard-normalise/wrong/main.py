"""Standardise station temperatures that are spread over the ranks by region."""
import argparse

import numpy as np
from mpi4py import MPI

REGIONS = ["north", "south", "east"]


def make_stations(n, seed):
    rng = np.random.default_rng(seed)
    regions = rng.choice(REGIONS[:2], size=n)
    temps = rng.normal(12.0, 4.0, size=n)
    return regions, temps


def pick_local(comm, regions, temps):
    """Every rank owns the regions whose index is congruent to its rank."""
    mine = [r for i, r in enumerate(REGIONS) if (i + 1) % comm.size == comm.rank]
    mask = np.isin(regions, mine)
    return temps[mask]


def standardise(comm, values):
    if len(values) == 0:
        return values
    count = comm.allreduce(len(values), op=MPI.SUM)
    mean = comm.allreduce(float(values.sum()), op=MPI.SUM) / count
    var = comm.allreduce(float(((values - mean) ** 2).sum()), op=MPI.SUM) / count
    return (values - mean) / np.sqrt(var)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--stations", type=int, default=300)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    regions, temps = make_stations(args.stations, args.seed)
    local = pick_local(comm, regions, temps)
    z = standardise(comm, local)

    total = comm.reduce(float((z ** 2).sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"mean square of z-scores: {total / args.stations:.6f}")
        assert abs(total / args.stations - 1.0) < 1e-9


if __name__ == "__main__":
    main()
