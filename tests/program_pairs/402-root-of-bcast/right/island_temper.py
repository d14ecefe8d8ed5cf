"""Parallel tempering of a 1-D Ising ring, one temperature per rank."""
import argparse
import math
import numpy as np
from mpi4py import MPI

CONFIG = {
    "spins": 64,
    "sweeps": 20,
    "rounds": 30,
    "beta_min": 0.2,
    "beta_max": 1.2,
    "coordinator": -1,       # negative: counted from the end, like python lists
    "seed": 77,
}


class Replica:
    def __init__(self, n, beta, rng):
        self.s = rng.choice([-1, 1], size=n)
        self.beta = beta
        self.rng = rng

    @property
    def energy(self):
        return -float(np.sum(self.s * np.roll(self.s, 1)))

    def sweep(self):
        s, n = self.s, len(self.s)
        for _ in range(n):
            i = self.rng.integers(n)
            dE = 2.0 * s[i] * (s[i - 1] + s[(i + 1) % n])
            if dE <= 0 or self.rng.random() < math.exp(-self.beta * dE):
                s[i] = -s[i]


class Exchanger:
    """One rank (the coordinator) decides about all swaps."""

    def __init__(self, world, cfg):
        self.world = world
        self.root = cfg["coordinator"] % world.size
        self.rng = np.random.default_rng(cfg["seed"] + 1)
        self.accepted = 0
        self.tried = 0

    def _decide(self, states, parity):
        betas = [b for b, _ in states]
        for i in range(parity, len(states) - 1, 2):
            d = (states[i + 1][0] - states[i][0]) * (states[i + 1][1] - states[i][1])
            self.tried += 1
            if d >= 0 or self.rng.random() < math.exp(d):
                betas[i], betas[i + 1] = betas[i + 1], betas[i]
                self.accepted += 1
        return betas

    def exchange(self, replica, parity):
        states = self.world.gather((replica.beta, replica.energy), root=self.root)
        betas = [replica.beta] * self.world.size
        if self.world.rank == self.root:
            betas = self._decide(states, parity)
        betas = self.world.bcast(betas, root=self.root)
        replica.beta = betas[self.world.rank]


def ladder(cfg, size):
    if size == 1:
        return [cfg["beta_min"]]
    r = (cfg["beta_max"] / cfg["beta_min"]) ** (1.0 / (size - 1))
    return [cfg["beta_min"] * r ** k for k in range(size)]


def main():
    ap = argparse.ArgumentParser()
    for k, v in CONFIG.items():
        ap.add_argument("--" + k.replace("_", "-"), type=type(v), default=v)
    cfg = vars(ap.parse_args())

    world = MPI.COMM_WORLD
    beta0 = ladder(cfg, world.size)[world.rank]
    rep = Replica(cfg["spins"], beta0, np.random.default_rng([cfg["seed"], world.rank]))
    ex = Exchanger(world, cfg)
    visits = {}
    for rnd in range(cfg["rounds"]):
        for _ in range(cfg["sweeps"]):
            rep.sweep()
        ex.exchange(rep, rnd % 2)
        visits.setdefault(round(rep.beta, 4), []).append(rep.energy)

    # merge by temperature
    everything = world.gather(visits, root=ex.root)
    if world.rank == ex.root:
        merged = {}
        for v in everything:
            for b, e in v.items():
                merged.setdefault(b, []).extend(e)
        print("swap acceptance %d/%d" % (ex.accepted, ex.tried))
        for b in sorted(merged):
            e = np.array(merged[b]) / cfg["spins"]
            print("beta %.3f  n=%3d  e/N %8.4f   exact %8.4f" % (b, len(e), e.mean(), -math.tanh(b)))


if __name__ == "__main__":
    main()
