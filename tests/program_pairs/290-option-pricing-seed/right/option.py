"""Asian call option by Monte Carlo, paths spread over the ranks."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class Market:
    spot: float = 100.0
    rate: float = 0.03
    sigma: float = 0.25
    maturity: float = 1.0
    strike: float = 105.0


class PathGenerator:
    def __init__(self, market, dates, seed):
        self.market = market
        self.dates = dates
        self.rng = np.random.default_rng(seed)

    def paths(self, n):
        m = self.market
        dt = m.maturity / self.dates
        z = self.rng.standard_normal((n, self.dates))
        steps = (m.rate - 0.5 * m.sigma ** 2) * dt + m.sigma * np.sqrt(dt) * z
        return m.spot * np.exp(np.cumsum(steps, axis=1))


def discounted_payoff(market, paths):
    mean = paths.mean(axis=1)
    return np.exp(-market.rate * market.maturity) * np.maximum(mean - market.strike, 0)


def price(comm, market, total_paths, dates=12, chunk=5000, seed=20240501):
    gen = PathGenerator(market, dates, [seed, comm.Get_rank()])
    quota = total_paths // comm.Get_size()
    sums = np.zeros(3)
    while quota > 0:
        n = min(chunk, quota)
        p = discounted_payoff(market, gen.paths(n))
        sums += [n, p.sum(), (p * p).sum()]
        quota -= n
    comm.Allreduce(MPI.IN_PLACE, sums)
    n, s, s2 = sums
    mean = s / n
    err = np.sqrt((s2 / n - mean ** 2) / n)
    return int(n), mean, err


def main():
    comm = MPI.COMM_WORLD
    market = Market()
    for total in (4000, 40000, 400000):
        n, value, err = price(comm, market, total)
        if comm.Get_rank() == 0:
            print(f"{n:8d} paths: {value:.5f} +- {err:.5f}")


if __name__ == "__main__":
    main()
