"""Ideal-gas box with an Andersen thermostat."""
import argparse
import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger("md")


class Gas:
    def __init__(self, comm, n_total, target, seed=17):
        self.comm = comm
        self.target = target
        self.n_total = n_total
        n = len(range(comm.rank, n_total, comm.size))
        self.rng = np.random.default_rng([seed, comm.rank])
        self.v = self.rng.normal(scale=np.sqrt(3.0 * target), size=(n, 3))
        self._temperature = None

    @property
    def temperature(self):
        if self._temperature is None:
            kinetic = self.comm.allreduce(float((self.v ** 2).sum()), op=MPI.SUM)
            self._temperature = kinetic / (3.0 * self.n_total)
        return self._temperature

    def collide(self, rate):
        hit = self.rng.random(len(self.v)) < rate
        if hit.any():
            self.v[hit] = self.rng.normal(scale=np.sqrt(self.target), size=(int(hit.sum()), 3))
            self._temperature = None
        return int(hit.sum())


def run(gas, steps, rate):
    history = []
    hits = 0
    for step in range(steps):
        hits += gas.collide(rate)
        history.append(gas.temperature)
        if step % 20 == 0:
            log.info("step %4d  T = %.4f", step, history[-1])
    return np.array(history), gas.comm.allreduce(hits)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--particles", type=int, default=120)
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--rate", type=float, default=0.02)
    ap.add_argument("--target", type=float, default=1.0)
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    level = logging.INFO if args.verbose and comm.rank == 0 else logging.WARNING
    logging.basicConfig(level=level, format="%(name)s %(message)s")

    gas = Gas(comm, args.particles, args.target)
    history, hits = run(gas, args.steps, args.rate)
    if comm.rank == 0:
        print(f"{hits} collisions, T: {history[0]:.4f} -> {history[-1]:.4f}")


if __name__ == "__main__":
    main()
