"""Batches of images handed out by the reader rank."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

BATCH_TAG = 31


@dataclass(frozen=True)
class StreamConfig:
    batches: int = 14
    batch_size: int = 16
    features: int = 5
    seed: int = 3


@dataclass(frozen=True)
class Batch:
    number: int
    values: np.ndarray


class BatchReader:
    """Runs on rank 0; produces the batches and deals them out in turn."""

    def __init__(self, comm: MPI.Intracomm, config: StreamConfig) -> None:
        self.comm = comm
        self.config = config

    def __iter__(self) -> Iterator[Batch]:
        rng = np.random.default_rng(self.config.seed)
        shape = (self.config.batch_size, self.config.features)
        for number in range(self.config.batches):
            yield Batch(number, rng.normal(size=shape))

    def deal(self) -> np.ndarray:
        workers = self.comm.size - 1
        total = np.zeros(self.config.features)
        for batch in self:
            total += batch.values.sum(axis=0)
            self.comm.send(batch, dest=1 + batch.number % workers, tag=BATCH_TAG)
        return total


class BatchStream:
    """Runs on the workers; an endless iterator over incoming batches."""

    def __init__(self, comm: MPI.Intracomm, source: int = 0) -> None:
        self.comm = comm
        self.source = source
        self.received = 0

    def __iter__(self) -> "BatchStream":
        return self

    def __next__(self) -> Batch:
        batch = self.comm.recv(source=self.source, tag=BATCH_TAG)
        self.received += 1
        return batch
