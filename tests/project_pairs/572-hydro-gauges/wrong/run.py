import argparse
import sys

from mpi4py import MPI

from catchment import Network
from flows import FlowStatistics, basin_means
from gauges import own_days, season
from report import plausible, render


def parse():
    p = argparse.ArgumentParser(description="season discharge of the basins")
    p.add_argument("--days", type=int, default=90)
    p.add_argument("--seed", type=int, default=5)
    p.add_argument("--skip", nargs="*", default=[])
    return p.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    network = Network(skip=args.skip)
    stats = FlowStatistics(comm, network)
    for record in own_days(season(args.days, args.seed), comm.rank, comm.size):
        stats.add(record)
    table = stats.merge()
    basins = basin_means(network, table)
    odd = plausible(table)
    if comm.rank == 0:
        print(render(table, basins))
    if odd:
        print(f"rank {comm.rank}: implausible means at {', '.join(odd)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
