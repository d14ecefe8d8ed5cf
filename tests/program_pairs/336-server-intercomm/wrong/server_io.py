"""A compute group and one I/O server, connected by an intercommunicator."""
import argparse

import numpy as np
from mpi4py import MPI

FIELD = 21


class Simulation:
    """Random walkers in a potential, divided over the compute group."""

    def __init__(self, group, inter, walkers):
        self.group = group
        self.inter = inter
        self.rng = np.random.default_rng([31, group.rank])
        n = walkers // group.size + (group.rank < walkers % group.size)
        self.x = self.rng.normal(size=n)

    def announce(self, settings):
        """The leader tells the server what is coming."""
        root = MPI.ROOT if self.group.rank == 0 else 0
        self.inter.bcast(settings, root=root)

    def step(self, dt=0.01):
        self.x += -dt * self.x ** 3 + np.sqrt(2 * dt) * self.rng.normal(size=len(self.x))

    def output(self, bins):
        counts, _ = np.histogram(self.x, bins=bins)
        total = self.group.reduce(counts, op=MPI.SUM, root=0)
        if self.group.rank == 0:
            self.inter.send(total, dest=0, tag=FIELD)

    def run(self, settings):
        self.announce(settings)
        for step in range(1, settings["steps"] + 1):
            self.step()
            if step % settings["every"] == 0:
                self.output(settings["bins"])


class Server:
    def __init__(self, inter):
        self.inter = inter
        self.records = []

    def run(self):
        settings = self.inter.bcast(None, root=0)
        for _ in range(settings["steps"] // settings["every"]):
            self.records.append(self.inter.recv(source=0, tag=FIELD))
        last = self.records[-1]
        centre = 0.5 * (settings["bins"][1:] + settings["bins"][:-1])
        print(f"{len(self.records)} records of {last.sum()} walkers, "
              f"mean square {(last * centre ** 2).sum() / last.sum():.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--walkers", type=int, default=3000)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--every", type=int, default=100)
    args = parser.parse_args()
    world = MPI.COMM_WORLD
    if world.size < 2:
        raise SystemExit("needs a server and at least one process to compute")
    server = world.size - 1
    computes = world.rank != server
    group = world.Split(0 if computes else 1, world.rank)
    inter = group.Create_intercomm(0, world, server if computes else 0, tag=5)
    if computes:
        settings = {"steps": args.steps, "every": args.every, "bins": np.linspace(-5, 5, 101)}
        Simulation(group, inter, args.walkers).run(settings)
    else:
        Server(inter).run()
    inter.Free()
    group.Free()


if __name__ == "__main__":
    main()
