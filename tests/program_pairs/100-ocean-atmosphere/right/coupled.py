"""Toy coupled model: a slab ocean and an energy balance atmosphere on separate ranks."""
import logging
import sys

import numpy as np
from mpi4py import MPI

NLAT = 24
log = logging.getLogger("coupler")


class Component:
    name = "component"

    def __init__(self, local):
        self.local = local
        edges = np.linspace(0, NLAT, local.size + 1).astype(int)
        self.slice = slice(edges[local.rank], edges[local.rank + 1])
        self.counts = np.diff(edges)
        self.field = np.linspace(275.0, 300.0, NLAT)

    def full(self):
        out = np.empty(NLAT)
        mine = np.ascontiguousarray(self.field[self.slice])
        self.local.Allgatherv(mine, [out, self.counts])
        return out

    def advance(self, forcing):
        raise NotImplementedError


class Ocean(Component):
    name = "ocean"

    def advance(self, forcing):
        s = self.slice
        self.field[s] += 0.02 * (forcing[s] - self.field[s])


class Atmosphere(Component):
    name = "atmosphere"

    def advance(self, forcing):
        s = self.slice
        self.field[s] += 0.2 * (forcing[s] - 1.5 - self.field[s])


class Coupler:
    def __init__(self, inter, local):
        self.inter, self.local = inter, local

    def publish(self, values):
        root = MPI.ROOT if self.local.rank == 0 else MPI.PROC_NULL
        self.inter.bcast(values, root=root)

    def fetch(self):
        return self.inter.bcast(None, root=0)


def main(days=20):
    world = MPI.COMM_WORLD
    if world.size < 2:
        print("the coupled model needs at least two processes", file=sys.stderr)
        return
    n_atm = max(1, world.size // 3)
    is_ocean = world.rank >= n_atm
    local = world.Split(color=int(is_ocean), key=world.rank)
    remote_leader = 0 if is_ocean else n_atm
    inter = local.Create_intercomm(0, world, remote_leader, tag=31)

    coupler = Coupler(inter, local)
    model = Ocean(local) if is_ocean else Atmosphere(local)
    for day in range(days):
        if is_ocean:
            coupler.publish(model.full())
            model.advance(coupler.fetch())
        else:
            sst = coupler.fetch()
            model.advance(sst)
            coupler.publish(model.full())

    final = model.full()
    if local.rank == 0:
        print("%-10s mean %.6f K after %d days" % (model.name, final.mean(), days))
    inter.Free()
    local.Free()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()
