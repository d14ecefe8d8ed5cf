import sys

from mpi4py import MPI

from coupler import Coupler
from models import Atmosphere, Ocean


def run(world, days=30):
    c = Coupler(world)
    if c.name == "ocean":
        model = Ocean(c.local, 6000, 290.0)
        for day in range(days):
            c.publish(("sst", day, model.full()))
            kind, when, t_air = c.fetch()
            assert (kind, when) == ("t2m", day), (kind, when, day)
            model.advance(t_air.mean())
    else:
        model = Atmosphere(c.local, 4000, 280.0)
        for day in range(days):
            kind, when, t_sea = c.fetch()
            assert (kind, when) == ("sst", day), (kind, when, day)
            model.advance(t_sea.mean())
            c.publish(("t2m", day, model.full()))
    mean = model.mean()
    c.close()
    return c.name, mean


def main():
    world = MPI.COMM_WORLD
    if world.size < 2:
        print("needs one rank for each component", file=sys.stderr)
        return 0
    results = world.gather(run(world), root=0)
    if world.rank == 0:
        for name, mean in sorted(set(results)):
            print(f"{name:11s} {mean:.6f} K")
    return 0


if __name__ == "__main__":
    sys.exit(main())
