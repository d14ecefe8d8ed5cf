import json
import sys

from mpi4py import MPI

import members
from stats import EnsembleStats

DEFAULTS = {"members": 3, "months": 2}


def read_config(comm, argv):
    config = None
    if comm.rank == 0:
        config = dict(DEFAULTS)
        if len(argv) > 1:
            with open(argv[1]) as fh:
                config.update(json.load(fh))
    return comm.bcast(config, root=0)


def main():
    comm = MPI.COMM_WORLD
    config = read_config(comm, sys.argv)
    ids = members.member_ids(config, comm.rank, comm.size)
    engine = EnsembleStats(comm)
    weights = members.area_weights()

    for month in range(config["months"]):
        fields = [members.load(m + 100 * month) for m in ids]
        mean, spread = engine.moments(fields)
        low, high = engine.extremes(fields)
        if comm.rank == 0:
            print(f"month {month}: mean {(mean * weights).sum():.4f} K "
                  f"spread {(spread * weights).sum():.4f} K range [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
