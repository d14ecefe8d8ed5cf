from functools import reduce
from operator import or_

import numpy as np
from mpi4py import MPI

from groups import Teams
from moments import JOIN, Moments
from region import REGIONS


def survey(team, region):
    """Group mean of one region; the group root deals out the cells."""
    parts = np.array_split(region.temperatures(), team.size) if team.rank == 0 else None
    mine = team.scatter(parts, root=0)
    return team.reduce(Moments.of(mine), op=JOIN, root=0)


def merge_leads(leads, found):
    tables = leads.gather(found, root=0)
    if leads.rank == 0:
        merged = reduce(or_, tables)
        return leads.bcast(merged, root=0)
    return leads.bcast(None, root=0)


def main():
    world = MPI.COMM_WORLD
    with Teams(world, wanted=3) as teams:
        found = {r.name: survey(teams.team, r) for r in teams.assigned(REGIONS)}
        assert all((m is not None) == teams.is_lead for m in found.values())
        table = teams.among_leads(merge_leads, found)
        warmest = teams.among_leads(
            lambda leads, mine: leads.allreduce(
                max((m.mean, name) for name, m in mine.items()), op=MPI.MAX), found)

    assert table.keys() == {r.name for r in REGIONS}
    for region in REGIONS:
        values = region.temperatures()
        assert np.isclose(table[region.name].mean, values.mean())
        assert np.isclose(table[region.name].std, values.std())
    assert warmest == (table["tropic"].mean, "tropic")

    globe = reduce(or_, (table[r.name] for r in sorted(REGIONS)))
    assert globe.n == sum(r.cells for r in REGIONS)
    copies = world.gather(globe)
    if world.rank == 0:
        assert len(set(copies)) == 1
        print(f"{globe.n} cells, mean {globe.mean:.6f}, std {globe.std:.6f}, warmest {warmest[1]}")


if __name__ == "__main__":
    try:
        main()
    finally:
        JOIN.Free()
