import random
from dataclasses import dataclass

from mpi4py import MPI

from mixins import Conserved


@dataclass
class Droplet:
    mass: float

    def evaporate(self, rate):
        self.mass *= 1.0 - rate


class Cloud(Conserved):
    def __init__(self, comm, number):
        self.comm = comm
        rng = random.Random(comm.rank)
        self.parts = [Droplet(rng.uniform(1.0, 2.0)) for _ in range(number)]

    def step(self):
        for droplet in self.parts:
            droplet.evaporate(0.05)


def report(step, cloud, mass):
    print(f"step {step}: {cloud.local_count} droplets per rank, mass {mass:.6f}")


def main():
    comm = MPI.COMM_WORLD
    cloud = Cloud(comm, 50)
    for step in range(10):
        cloud.step()
        if step % 5 == 4:
            mass = cloud.total_mass
            if comm.rank == 0:
                report(step, cloud, mass)


main()
