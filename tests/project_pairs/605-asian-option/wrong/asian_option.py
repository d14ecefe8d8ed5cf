"""Arithmetic Asian call by Monte Carlo, geometric control variate."""
import argparse
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from mpi4py import MPI
from scipy.stats import norm


@dataclass(frozen=True)
class Contract:
    spot: float = 100.0
    strike: float = 100.0
    rate: float = 0.03
    vol: float = 0.25
    maturity: float = 1.0
    fixings: int = 24


def geometric_price(c):
    n, dt = c.fixings, c.maturity / c.fixings
    mu = (c.rate - 0.5 * c.vol ** 2) * dt * (n + 1) / 2
    var = c.vol ** 2 * dt * (n + 1) * (2 * n + 1) / (6 * n)
    d2 = (math.log(c.spot / c.strike) + mu) / math.sqrt(var)
    d1 = d2 + math.sqrt(var)
    fwd = c.spot * math.exp(mu + 0.5 * var)
    return math.exp(-c.rate * c.maturity) * (fwd * norm.cdf(d1) - c.strike * norm.cdf(d2))


class PathEngine:
    def __init__(self, contract, seed):
        self.c = contract
        self.rng = np.random.default_rng(seed)
        self.dt = contract.maturity / contract.fixings

    def payoffs(self, npaths):
        c = self.c
        z = self.rng.standard_normal((npaths, c.fixings))
        incr = (c.rate - 0.5 * c.vol ** 2) * self.dt + c.vol * math.sqrt(self.dt) * z
        logs = math.log(c.spot) + np.cumsum(incr, axis=1)
        disc = math.exp(-c.rate * c.maturity)
        arith = disc * np.maximum(np.exp(logs).mean(axis=1) - c.strike, 0.0)
        geo = disc * np.maximum(np.exp(logs.mean(axis=1)) - c.strike, 0.0)
        return arith, geo


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--paths", type=int, default=200_000, help="paths over all ranks")
    p.add_argument("--batch", type=int, default=10_000)
    p.add_argument("--seed", type=int, default=31337)
    p.add_argument("--report", type=Path)
    return p.parse_args()


def main():
    args = parse()
    comm = MPI.COMM_WORLD
    contract = Contract()
    exact_geo = geometric_price(contract)

    mine = args.paths // comm.size + (comm.rank < args.paths % comm.size)
    engine = PathEngine(contract, args.seed)
    acc = np.zeros(3)
    left = mine
    while left > 0:
        m = min(left, args.batch)
        a, g = engine.payoffs(m)
        y = a - (g - exact_geo)
        acc += (m, y.sum(), (y ** 2).sum())
        left -= m

    tot = np.zeros_like(acc)
    comm.Reduce(acc, tot, op=MPI.SUM, root=0)
    means = comm.gather(acc[1] / acc[0], root=0)

    if comm.rank == 0:
        n, s, s2 = tot
        price = s / n
        stderr = math.sqrt((s2 / n - price ** 2) / n)
        print(f"price {price:.5f} +- {stderr:.5f}   ({int(n)} paths, {comm.size} ranks)")
        print("per rank:", " ".join(f"{m:.5f}" for m in means))
        if args.report:
            args.report.write_text(json.dumps(
                {"contract": asdict(contract), "price": price, "stderr": stderr}, indent=2))


if __name__ == "__main__":
    main()
