"""Index based data pipeline: all processes can read all records, each one takes
its slice of a global permutation."""
from typing import Iterator, Optional

import jax
import numpy as np


class EpochShuffler:
    def __init__(self, n: int, seed: Optional[int] = None):
        self.n = n
        self.seed = jax.process_index() if seed is None else seed

    def permutation(self, epoch: int) -> np.ndarray:
        return np.random.default_rng([self.seed, epoch]).permutation(self.n)


class ShardedLoader:
    def __init__(self, records: np.ndarray, global_batch: int, seed: Optional[int] = None):
        if global_batch % jax.process_count():
            raise ValueError("global batch must be divisible by the number of processes")
        self.records = records
        self.global_batch = global_batch
        self.local_batch = global_batch // jax.process_count()
        self.shuffler = EpochShuffler(len(records), seed)

    def __len__(self) -> int:
        return len(self.records) // self.global_batch

    def epoch(self, epoch: int) -> Iterator[np.ndarray]:
        perm = self.shuffler.permutation(epoch)
        off = jax.process_index() * self.local_batch
        for i in range(len(self)):
            lo = i * self.global_batch + off
            yield self.records[perm[lo:lo + self.local_batch]]
