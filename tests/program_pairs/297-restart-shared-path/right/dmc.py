"""Diffusion Monte Carlo of a harmonic oscillator, with stop and restart."""
import argparse
import os
import pathlib

import numpy as np
from mpi4py import MPI


class Population:
    def __init__(self, rng, walkers):
        self.rng = rng
        self.x = rng.normal(0, 1, walkers)
        self.step_no = 0
        self.target = walkers

    def step(self, tau, e_ref):
        self.x = self.x + self.rng.normal(0, np.sqrt(tau), self.x.size)
        weight = np.exp(-tau * (0.5 * self.x ** 2 - e_ref))
        copies = (weight + self.rng.random(self.x.size)).astype(int)
        self.x = np.repeat(self.x, copies)
        self.step_no += 1

    def save(self, path):
        with open(path, "wb") as fh:
            np.savez(fh, x=self.x, step_no=self.step_no)

    def load(self, path):
        with np.load(path) as z:
            self.x = z["x"]
            self.step_no = int(z["step_no"])


def evolve(comm, pop, steps, tau=0.01):
    e_ref = 0.5
    history = []
    for _ in range(steps):
        pop.step(tau, e_ref)
        n, v = comm.allreduce(np.array([pop.x.size, 0.5 * (pop.x ** 2).sum()]))
        e_ref = v / n - 0.1 * np.log(n / (pop.target * comm.size))
        history.append(v / n)
    return np.mean(history)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--walkers", type=int, default=800)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--dir", default="dmc_state")
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    folder = pathlib.Path(args.dir)
    if comm.rank == 0:
        folder.mkdir(exist_ok=True)
    comm.Barrier()
    path = folder / f"walkers_{comm.rank:04d}.npz"

    pop = Population(np.random.default_rng([11, comm.rank]), args.walkers)
    energy = evolve(comm, pop, args.steps)
    before = comm.allreduce(float(pop.x.sum()))
    pop.save(path)
    comm.Barrier()

    pop = Population(np.random.default_rng([12, comm.rank]), args.walkers)
    pop.load(path)
    after = comm.allreduce(float(pop.x.sum()))
    energy = 0.5 * (energy + evolve(comm, pop, args.steps))
    if comm.rank == 0:
        print(f"sum of positions before {before:.6f} after restart {after:.6f}")
        print(f"energy {energy:.4f}")
        for name in os.listdir(folder):
            (folder / name).unlink()
        folder.rmdir()


if __name__ == "__main__":
    main()
