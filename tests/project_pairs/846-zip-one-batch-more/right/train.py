"""Accumulating statistics over a limited number of batches."""
from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

import numpy as np

from stream import Batch, StreamConfig

log = logging.getLogger("train")
Hook = Callable[[int, Batch], None]


def quota(config: StreamConfig, worker: int, workers: int) -> int:
    return len(range(worker, config.batches, workers))


class Accumulator:
    def __init__(self, features: int, hooks: Iterable[Hook] = ()) -> None:
        self.total = np.zeros(features)
        self.hooks = list(hooks)

    def consume(self, stream: Iterable[Batch], limit: int) -> np.ndarray:
        for index, batch in zip(range(limit), stream):
            self.total += batch.values.sum(axis=0)
            for hook in self.hooks:
                hook(index, batch)
        return self.total


def log_batch(index: int, batch: Batch) -> None:
    log.debug("batch %d is number %d here", batch.number, index)
