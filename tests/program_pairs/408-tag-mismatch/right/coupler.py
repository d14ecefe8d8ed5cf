"""Toy atmosphere/land coupling: even ranks run the atmosphere, odd ranks run
the land tile below.  Fields are exchanged once a day."""
import argparse
import enum
import numpy as np
from mpi4py import MPI


class Field(enum.IntEnum):
    PRECIP = 10
    RADIATION = 11
    EVAP = 12
    ALBEDO = 13


class Link:
    """Named fields between two partners."""

    def __init__(self, comm, peer):
        self.comm = comm
        self.peer = peer
        self.day = 0

    def _tag(self, field):
        return int(field) + 100 * (self.day % 50)

    def put(self, **fields):
        for name, value in fields.items():
            self.comm.send(value, dest=self.peer, tag=self._tag(Field[name.upper()]))

    def get(self, *names):
        return [self.comm.recv(source=self.peer, tag=self._tag(Field[n.upper()]))
                for n in names]

    def next_day(self):
        self.day += 1


class Atmosphere:
    name = "atm"

    def __init__(self, link, npts):
        self.link = link
        self.vapour = np.full(npts, 20.0)
        self.rng = np.random.default_rng(6)

    def day(self):
        precip = 0.2 * self.vapour * self.rng.random(self.vapour.size)
        self.vapour -= precip
        self.link.put(precip=precip, radiation=200.0 + 10 * self.rng.normal())
        evap, albedo = self.link.get("evap", "albedo")
        self.vapour += evap
        self.link.next_day()
        return float(self.vapour.mean())


class Land:
    name = "lnd"

    def __init__(self, link, npts):
        self.link = link
        self.water = np.full(npts, 50.0)

    def day(self):
        precip, rad = self.link.get("precip", "radiation")
        self.water += precip
        evap = np.minimum(self.water, 0.01 * rad * self.water / 50.0)
        self.water -= evap
        self.link.put(evap=evap, albedo=0.15 + 0.1 * float((self.water < 40).mean()))
        self.link.next_day()
        return float(self.water.mean())


def make_component(comm, npts):
    if comm.size % 2:
        raise SystemExit("even number of ranks needed")
    if comm.rank % 2 == 0:
        return Atmosphere(Link(comm, comm.rank + 1), npts)
    return Land(Link(comm, comm.rank - 1), npts)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--days", type=int, default=10)
    p.add_argument("--points", type=int, default=50)
    a = p.parse_args()
    comm = MPI.COMM_WORLD
    comp = make_component(comm, a.points)
    series = []
    for _ in range(a.days):
        series.append(comp.day())

    every = comm.gather((comp.name, series), root=0)
    if comm.rank == 0:
        for name, s in every:
            print(name, " ".join("%.2f" % v for v in s))
        total = [sum(v) for v in zip(*(s for _, s in every))]
        print("sum", " ".join("%.2f" % v for v in total))


if __name__ == "__main__":
    main()
