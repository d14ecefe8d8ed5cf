"""Metropolis sampling of a double well, independent walkers on each rank."""
import math

import numpy as np
from mpi4py import MPI

from progress import Progress


def potential(x):
    return (x * x - 1.0) ** 2 / 0.15


class Walkers:
    def __init__(self, count, seed):
        self.rng = np.random.default_rng(seed)
        self.x = self.rng.choice([-1.0, 1.0], size=count)
        self.accepted = 0

    def sweep(self, width=0.6):
        trial = self.x + self.rng.uniform(-width, width, size=self.x.size)
        log_ratio = potential(self.x) - potential(trial)
        ok = np.log(self.rng.random(self.x.size)) < log_ratio
        self.x[ok] = trial[ok]
        self.accepted += int(ok.sum())


def main(sweeps=3000, burn=300):
    comm = MPI.COMM_WORLD
    walkers = Walkers(1500 + 900 * comm.rank, seed=[4, comm.rank])
    progress = Progress(comm)
    acc = np.zeros(3)
    for step in range(sweeps):
        walkers.sweep()
        if step >= burn:
            x = walkers.x
            acc += [x.size, x.sum(), (x * x).sum()]
        progress.update(step, int(acc[0]))

    total = np.empty_like(acc)
    comm.Allreduce(acc, total)
    rate = comm.allreduce(walkers.accepted)
    if comm.rank == 0:
        n, s, s2 = total
        print(f"<x> = {s / n:+.4f}  <x^2> = {s2 / n:.4f}  +- {math.sqrt(1 / n):.1e}  accepted {rate}")


if __name__ == "__main__":
    main()
