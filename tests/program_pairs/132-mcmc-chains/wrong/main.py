"""Metropolis chains for a two-parameter calibration problem, Gelman-Rubin over all chains."""
from dataclasses import dataclass, replace

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class ChainConfig:
    seed: int = 2024
    draws: int = 1500
    warmup: int = 300
    scale: float = 0.35


class Posterior:
    def __init__(self):
        rng = np.random.default_rng(99)
        self.x = np.linspace(0, 1, 40)
        self.y = 1.5 + 2.0 * self.x + 0.3 * rng.standard_normal(40)

    def __call__(self, theta):
        resid = self.y - theta[0] - theta[1] * self.x
        return -0.5 * (resid @ resid) / 0.09 - 0.5 * (theta @ theta) / 25.0


class Chain:
    def __init__(self, target, config):
        self.target, self.config = target, config
        self.rng = np.random.default_rng(config.seed)
        self.theta = self.rng.normal(1.0, 1.0, size=2)
        self.logp = target(self.theta)
        self.accepted = 0

    def __iter__(self):
        for _ in range(self.config.warmup + self.config.draws):
            prop = self.theta + self.config.scale * self.rng.standard_normal(2)
            lp = self.target(prop)
            if np.log(self.rng.random()) < lp - self.logp:
                self.theta, self.logp = prop, lp
                self.accepted += 1
            yield self.theta

    def sample(self):
        return np.array(list(self))[self.config.warmup:]


def chain_range(total, rank, size):
    base, extra = divmod(total, size)
    first = rank * base + min(rank, extra)
    return range(first, first + base + (rank < extra))


def run_chains(comm, target, config, total):
    samples = []
    for ident, _ in enumerate(chain_range(total, comm.rank, comm.size)):
        chain = Chain(target, replace(config, seed=config.seed + ident))
        samples.append(chain.sample())
    return samples


def gelman_rubin(comm, samples):
    stats = [(s.mean(0), s.var(0, ddof=1), len(s)) for s in samples]
    everything = [s for part in comm.allgather(stats) for s in part]
    means = np.array([m for m, _, _ in everything])
    within = np.mean([v for _, v, _ in everything], axis=0)
    n = everything[0][2]
    between = n * means.var(axis=0, ddof=1)
    rhat = np.sqrt(((n - 1) / n * within + between / n) / within)
    error = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    return means, rhat, error


def main():
    comm = MPI.COMM_WORLD
    samples = run_chains(comm, Posterior(), ChainConfig(), total=8)
    means, rhat, error = gelman_rubin(comm, samples)
    if comm.rank == 0:
        print("chains  ", len(means), "distinct", len(np.unique(means[:, 0])))
        print("estimate", means.mean(axis=0).round(4), "+-", error.round(4))
        print("R-hat   ", rhat.round(4))


if __name__ == "__main__":
    main()
