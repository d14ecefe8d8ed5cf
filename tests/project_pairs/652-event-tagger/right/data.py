"""Jet events in shards; a shard stands for one file of the detector run."""
import itertools
from typing import Iterator, Tuple

import numpy as np

N_FEATURES = 12


def shard_sizes(n_shards: int) -> np.ndarray:
    return np.random.default_rng(31).integers(300, 1500, n_shards)


def load_shard(k: int, n: int) -> Tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5000 + k)
    x = rng.normal(size=(n, N_FEATURES)).astype(np.float32)
    w = np.linspace(-1.5, 1.5, N_FEATURES)
    y = (x @ w + rng.logistic(size=n) > 0).astype(np.float32)
    return x, y


class ShardLoader:
    """Mini-batches of the shards that belong to one rank."""

    def __init__(self, rank: int, size: int, n_shards: int = 9, batch: int = 64) -> None:
        sizes = shard_sizes(n_shards)
        parts = [load_shard(k, sizes[k]) for k in range(rank, n_shards, size)]
        self.x = np.concatenate([p[0] for p in parts])
        self.y = np.concatenate([p[1] for p in parts])
        self.batch = batch
        self.rng = np.random.default_rng(rank)

    def __len__(self) -> int:
        return len(self.x) // self.batch

    def __iter__(self) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
        order = self.rng.permutation(len(self.x))
        for b in range(len(self)):
            idx = order[b * self.batch:(b + 1) * self.batch]
            yield self.x[idx], self.y[idx]

    def take(self, steps: int) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
        return itertools.islice(iter(self), steps)
