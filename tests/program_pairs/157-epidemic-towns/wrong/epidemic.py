"""Stochastic SIR epidemic in towns that exchange travellers."""
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class Town:
    susceptible: int
    infected: int = 0
    recovered: int = 0

    @property
    def people(self):
        return self.susceptible + self.infected + self.recovered


@dataclass
class Region:
    comm: MPI.Comm
    towns: list
    beta: float = 0.45
    gamma: float = 0.15
    travel: float = 0.002
    rng: np.random.Generator = field(default=None)

    def __post_init__(self):
        self.rng = np.random.default_rng([2024, self.comm.rank])

    def infected(self):
        return sum(t.infected for t in self.towns)

    def infect_and_recover(self):
        for t in self.towns:
            if t.infected == 0:
                continue
            p = 1.0 - np.exp(-self.beta * t.infected / t.people)
            new = self.rng.binomial(t.susceptible, p)
            healed = self.rng.binomial(t.infected, 1.0 - np.exp(-self.gamma))
            t.susceptible -= new
            t.infected += new - healed
            t.recovered += healed

    def travellers(self):
        """Infected visitors go to a random town of the region of another rank."""
        out = [0] * self.comm.size
        for t in self.towns:
            leaving = self.rng.binomial(t.infected, self.travel)
            for _ in range(leaving):
                out[self.rng.integers(self.comm.size)] += 1
        for visitors in self.comm.alltoall(out):
            for _ in range(visitors):
                t = self.towns[self.rng.integers(len(self.towns))]
                if t.susceptible:
                    t.susceptible -= 1
                    t.infected += 1

    def spreading(self):
        return self.infected() > 0 or self.comm.allreduce(self.infected()) > 0


def run(comm, towns_per_rank=6, max_days=1000):
    rng = np.random.default_rng([7, comm.rank])
    towns = [Town(int(n)) for n in rng.integers(2000, 20000, towns_per_rank)]
    if comm.rank == 0:
        towns[0].infected = 10
    region = Region(comm, towns)
    day = 0
    while day < max_days and region.spreading():
        region.infect_and_recover()
        region.travellers()
        day += 1
    total = comm.reduce(sum(t.recovered for t in towns), root=0)
    people = comm.reduce(sum(t.people for t in towns), root=0)
    if comm.rank == 0:
        print(f"over after {day} days, {total} of {people} people had the disease")


if __name__ == "__main__":
    run(MPI.COMM_WORLD)
