"""Sweep the growth rate in batches and print the mean population of each."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from popmap import settle


@dataclass
class Batch:
    name: str
    low: float
    high: float
    points: int = 12

    def rates(self, comm):
        return np.linspace(self.low, self.high, self.points)[comm.rank::comm.size]


def summary(comm, rates):
    means = [m for m in map(settle, rates) if m is not None]
    total = comm.allreduce(sum(means))
    count = comm.allreduce(len(means))
    return total / max(count, 1), count


def run(comm, batches):
    for batch in batches:
        yield batch.name, summary(comm, batch.rates(comm))


def main():
    comm = MPI.COMM_WORLD
    plan = [Batch("calm", 0.5, 2.9), Batch("cycles", 3.0, 3.5),
            Batch("chaos", 3.6, 4.04), Batch("window", 3.82, 3.85)]
    for name, result in run(comm, plan):
        if comm.rank == 0 and result is not None:
            mean, count = result
            print(f"{name:8s} mean {mean:.5f} over {count} rates", flush=True)


if __name__ == "__main__":
    main()
