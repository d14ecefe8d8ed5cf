from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Underlying:
    name: str
    spot: float
    vol: float
    carry: float


BOARD = [
    Underlying("ALV", 240.0, 0.22, 0.030), Underlying("BAS", 47.0, 0.28, 0.045),
    Underlying("SIE", 176.0, 0.25, 0.025), Underlying("DTE", 23.0, 0.18, 0.032),
    Underlying("ADS", 205.0, 0.33, 0.010), Underlying("MRK", 152.0, 0.24, 0.015),
]


@dataclass(frozen=True)
class Trade:
    ident: int
    name: str
    strike: float
    expiry: float
    lots: int


def book(count, seed):
    rng = np.random.default_rng(seed)
    trades = []
    for ident in range(count):
        u = BOARD[int(rng.integers(len(BOARD)))]
        trades.append(Trade(ident, u.name, round(u.spot * rng.uniform(0.85, 1.15), 1),
                            float(rng.choice([0.25, 0.5, 1.0])), int(rng.integers(1, 20))))
    return trades
