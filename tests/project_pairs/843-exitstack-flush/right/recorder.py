"""Recorders collect samples during a run and are finished at its end."""
from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

log = logging.getLogger(__name__)


@dataclass
class Summary:
    count: int = 0
    mean: float = float("nan")
    maximum: float = float("nan")


@dataclass
class Recorder:
    comm: MPI.Intracomm
    name: str
    samples: list[float] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)

    def add(self, values: np.ndarray) -> None:
        self.samples.extend(float(v) for v in values)

    def finish(self) -> None:
        local = np.array([len(self.samples), sum(self.samples)], dtype=float)
        total = np.zeros_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        top = self.comm.allreduce(max(self.samples, default=-np.inf), op=MPI.MAX)
        count = int(total[0])
        self.summary = Summary(count, total[1] / count if count else 0.0, top)


class Session(contextlib.ExitStack):
    """An exit stack that finishes the recorders opened in it."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        super().__init__()
        self.comm = comm
        self.recorders: dict[str, Recorder] = {}

    def open(self, name: str) -> Recorder:
        recorder = Recorder(self.comm, name)
        self.recorders[name] = recorder
        self.callback(recorder.finish)
        return recorder
