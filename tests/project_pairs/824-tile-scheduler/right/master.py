"""The master side: hand out tiles and collect what comes back."""
from __future__ import annotations

import logging
from collections import deque
from typing import Iterable

import numpy as np
from mpi4py import MPI

from protocol import STOP, Tag, Tile

log = logging.getLogger(__name__)


class Master:
    def __init__(self, comm: MPI.Comm, tiles: Iterable[Tile]) -> None:
        self.comm = comm
        self.waiting = deque(tiles)
        self.busy: dict[int, Tile] = {}
        self.results: dict[int, np.ndarray] = {}
        self.timings = 0

    def _assign(self, worker: int) -> None:
        tile = self.waiting.popleft() if self.waiting else STOP
        if tile is not STOP:
            self.busy[worker] = tile
        self.comm.send(tile, dest=worker, tag=Tag.WORK)

    def _collect(self) -> int:
        """Take the next finished tile and return the worker it came from."""
        status = MPI.Status()
        self.comm.Probe(source=MPI.ANY_SOURCE, tag=Tag.RESULT, status=status)
        values = np.zeros(status.Get_count(MPI.DOUBLE))
        worker = status.Get_source()
        self.comm.Recv(values, source=worker, tag=Tag.RESULT, status=status)
        tile = self.busy.pop(worker)
        self.results[tile.index] = values
        self.timings += 1
        return worker

    def _drain_timings(self) -> float:
        total = 0.0
        spent = np.zeros(1)
        for _ in range(self.timings):
            self.comm.Recv(spent, source=MPI.ANY_SOURCE, tag=Tag.TIMING)
            total += float(spent[0])
        return total

    def run(self) -> dict[int, np.ndarray]:
        for worker in range(1, self.comm.size):
            self._assign(worker)
        while self.busy:
            self._assign(self._collect())
        log.info("workers spent %.3f s in the kernel", self._drain_timings())
        return self.results
