"""A synthetic data set of crystals: batches of cells with fractional positions."""
from dataclasses import dataclass
from typing import List

import numpy as np


@dataclass
class Crystal:
    cell: np.ndarray
    frac: np.ndarray


@dataclass
class Batch:
    name: str
    crystals: List[Crystal]


def make_crystal(rng):
    edge = rng.normal(4.2, 0.6)
    cell = edge * (np.eye(3) + rng.normal(scale=0.04, size=(3, 3)))
    if rng.random() < 0.02:
        # some entries of the data base have a cell with a missing vector
        cell[2] = 0.0
    return Crystal(cell, rng.random((rng.integers(2, 6), 3)))


def make_batches(cfg, rank, size):
    """The batches of this rank, one per round; the last round may have empty ones."""
    out = []
    rounds = -(-cfg.batches // size)
    for b in range(rank, rounds * size, size):
        count = cfg.per_batch if b < cfg.batches else 0
        crystals = [make_crystal(np.random.default_rng([cfg.seed, b, i])) for i in range(count)]
        out.append(Batch(f"batch{b:02d}", crystals))
    return out
