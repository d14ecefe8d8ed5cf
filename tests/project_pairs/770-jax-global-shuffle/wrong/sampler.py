"""Deals a freshly shuffled data set to the processes, epoch by epoch."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass
class GlobalShuffle:
    n_items: int
    process_index: int
    process_count: int
    seed: int = 0

    @property
    def per_process(self) -> int:
        return self.n_items // self.process_count

    def _order(self, epoch: int) -> np.ndarray:
        rng = np.random.default_rng()
        return rng.permutation(self.n_items)

    def indices(self, epoch: int) -> np.ndarray:
        lo = self.process_index * self.per_process
        return self._order(epoch)[lo : lo + self.per_process]

    def batches(self, epoch: int, local_batch: int) -> Iterator[np.ndarray]:
        mine = self.indices(epoch)
        for lo in range(0, len(mine) - local_batch + 1, local_batch):
            yield mine[lo : lo + local_batch]
