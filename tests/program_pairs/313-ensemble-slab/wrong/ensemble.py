"""Members of a climate ensemble, each computed by a group of processes in latitude slabs."""
import argparse

import numpy as np
from mpi4py import MPI


class Member:
    """Energy balance model on n latitudes, distributed over the group."""

    def __init__(self, world, n_groups, n_lat):
        self.world = world
        self.id = world.rank % n_groups
        self.group = world.Split(color=self.id, key=world.rank)
        self.part = world.rank % (world.size // n_groups)
        lat = np.linspace(-90, 90, n_lat)
        lo = n_lat * self.part // self.group.size
        hi = n_lat * (self.part + 1) // self.group.size
        self.lat = np.radians(lat[lo:hi])
        self.t = np.full(hi - lo, 280.0)
        self.co2 = 1.0 + 0.5 * self.id

    def absorbed(self):
        albedo = np.where(self.t < 263.0, 0.62, 0.30)
        return 342.0 * (1.24 - 0.72 * np.sin(self.lat) ** 2) * (1 - albedo)

    def emitted(self):
        return 210.0 + 2.1 * (self.t - 273.15) - 5.35 * np.log(self.co2)

    def area_mean(self):
        weight = np.cos(self.lat)
        total = self.group.allreduce(np.array([(self.t * weight).sum(), weight.sum()]))
        return total[0] / total[1]

    def step(self, dt):
        mean = self.area_mean()
        self.t = self.t + dt * (self.absorbed() - self.emitted() - 3.8 * (self.t - mean)) / 10.0

    def run(self, steps, dt=0.05):
        for _ in range(steps):
            self.step(dt)
        return self.area_mean()

    def profile(self):
        parts = self.group.gather(self.t, root=0)
        return np.concatenate(parts) if self.group.rank == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, default=2)
    parser.add_argument("--latitudes", type=int, default=90)
    parser.add_argument("--steps", type=int, default=3000)
    args = parser.parse_args()
    world = MPI.COMM_WORLD
    if world.size % args.members:
        raise SystemExit("the number of processes must be a multiple of the members")
    member = Member(world, args.members, args.latitudes)
    mean = member.run(args.steps)
    profile = member.profile()
    report = None
    if member.group.rank == 0:
        report = (member.id, mean, profile[0], profile[args.latitudes // 2], profile[-1])
    reports = world.gather(report, root=0)
    if world.rank == 0:
        for id_, mean, south, equator, north in filter(None, reports):
            print(f"member {id_}: mean {mean:.3f} K, south pole {south:.2f}, "
                  f"equator {equator:.2f}, north pole {north:.2f}")
    member.group.Free()


if __name__ == "__main__":
    main()
