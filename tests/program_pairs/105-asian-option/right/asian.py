"""Monte Carlo price of an arithmetic Asian call option."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True)
class Contract:
    spot: float = 100.0
    strike: float = 103.0
    rate: float = 0.02
    vol: float = 0.25
    maturity: float = 1.0
    fixings: int = 24


@dataclass
class Settings:
    paths: int = 40_000
    batch: int = 5_000
    seed: int = 20240229


def payoffs(contract: Contract, n: int, rng: np.random.Generator) -> np.ndarray:
    dt = contract.maturity / contract.fixings
    drift = (contract.rate - 0.5 * contract.vol ** 2) * dt
    shocks = rng.standard_normal((n, contract.fixings))
    logs = np.cumsum(drift + contract.vol * math.sqrt(dt) * shocks, axis=1)
    average = contract.spot * np.exp(logs).mean(axis=1)
    return math.exp(-contract.rate * contract.maturity) * np.maximum(average - contract.strike, 0.0)


class Pricer:
    def __init__(self, comm: MPI.Comm, settings: Settings):
        self.comm = comm
        self.settings = settings
        streams = np.random.SeedSequence(settings.seed).spawn(comm.size)
        self.rng = np.random.default_rng(streams[comm.rank])

    def price(self, contract: Contract) -> tuple[float, float, int]:
        moments = np.zeros(3)
        todo = self.settings.paths // self.comm.size
        todo += self.comm.rank < self.settings.paths % self.comm.size
        while todo > 0:
            n = min(todo, self.settings.batch)
            p = payoffs(contract, n, self.rng)
            moments += n, p.sum(), (p ** 2).sum()
            todo -= n
        self.comm.Allreduce(MPI.IN_PLACE, moments, op=MPI.SUM)
        n, s1, s2 = moments
        mean = s1 / n
        return mean, math.sqrt((s2 / n - mean ** 2) / n), int(n)


def main() -> None:
    comm = MPI.COMM_WORLD
    pricer = Pricer(comm, Settings())
    for strike in (98.0, 103.0, 108.0):
        mean, err, n = pricer.price(Contract(strike=strike))
        if comm.rank == 0:
            print(f"K={strike:6.1f}  {mean:.5f} +- {err:.5f}  ({n} paths)")


if __name__ == "__main__":
    main()
