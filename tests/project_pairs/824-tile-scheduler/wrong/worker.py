"""The worker side: evaluate tiles until told to stop."""
from __future__ import annotations

import time
from typing import Callable

import numpy as np
from mpi4py import MPI

from protocol import STOP, Tag, Tile

Kernel = Callable[[np.ndarray], np.ndarray]


class Worker:
    def __init__(self, comm: MPI.Comm, kernel: Kernel, master: int = 0) -> None:
        self.comm = comm
        self.kernel = kernel
        self.master = master
        self._reports: list[tuple[MPI.Request, np.ndarray]] = []

    def _report(self, started: float) -> None:
        spent = np.array([time.perf_counter() - started])
        request = self.comm.Isend(spent, dest=self.master, tag=Tag.TIMING)
        self._reports.append((request, spent))

    def evaluate(self, tile: Tile) -> None:
        started = time.perf_counter()
        values = self.kernel(tile.sample_points())
        self._report(started)
        self.comm.Send(values, dest=self.master, tag=Tag.RESULT)

    def serve(self) -> None:
        while True:
            tile = self.comm.recv(source=self.master, tag=Tag.WORK)
            if tile is STOP:
                break
            self.evaluate(tile)
        MPI.Request.Waitall([request for request, _ in self._reports])
