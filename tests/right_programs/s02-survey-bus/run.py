from itertools import groupby
from operator import attrgetter

import numpy as np
from mpi4py import MPI

from bus import EventBus
from tally import Record, Tally

comm = MPI.COMM_WORLD
bus = EventBus()
journal = []


@bus.on("region", priority=1)
def count(region, records):
    return Tally.of(records).merged(comm)


@bus.on("region", priority=1)
def mean_weight(region, records):
    mine = np.array([sum(r.weight for r in records), len(records)], dtype=float)
    both = np.empty_like(mine)
    comm.Allreduce(mine, both)
    return float(both[0] / both[1])


@bus.on("region", priority=5, when=comm.rank == 0)
def log_region(region, records):
    journal.append(f"{region}: {len(records)} records on the root")


@bus.on("region", priority=9)
def first_seen(region, records):
    earliest = min((r.number for r in records), default=10**9)
    return comm.allreduce(earliest, op=MPI.MIN)


@bus.on("finish")
def collect(totals):
    return comm.gather({k: dict(v) for k, v in totals.items()}, root=0)


@bus.on("finish", priority=-1, when=comm.rank == 0)
def flush_journal(totals):
    while journal:
        print(journal.pop(0))


def my_share(total):
    """Later ranks get less; from four ranks on the third gets nothing."""
    weights = [0 if r == 2 and comm.size > 3 else comm.size - r for r in range(comm.size)]
    edges = np.rint(np.cumsum([0] + weights) / sum(weights) * total).astype(int)
    return range(edges[comm.rank], edges[comm.rank + 1])


def main(total=240):
    records = sorted(map(Record.draw, my_share(total)), key=attrgetter("region", "number"))
    by_region = {k: list(g) for k, g in groupby(records, key=attrgetter("region"))}
    regions = set().union(*comm.allgather(by_region.keys() | set()))

    totals, means, firsts = {}, {}, {}
    for region in sorted(regions):
        answers = bus.publish("region", region=region, records=by_region.get(region, []))
        totals[region] = answers["count"]
        means[region] = answers["mean_weight"]
        firsts[region] = answers["first_seen"]

    everything = [Record.draw(i) for i in range(total)]
    for region in regions:
        here = [r for r in everything if r.region == region]
        assert totals[region] == Tally.of(here)
        assert np.isclose(means[region], np.mean([r.weight for r in here]))
        assert firsts[region] == here[0].number

    copies = bus.publish("finish", totals=totals)["collect"]
    if comm.rank == 0:
        assert len(copies) == comm.size and all(c == copies[0] for c in copies)
        for region, tally in sorted(totals.items()):
            print(f"{region:8s} {tally.favourite:7s} {sum(tally.values()):4d} {means[region]:.4f}")


if __name__ == "__main__":
    main()
