"""Step-size control shared by all ranks."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mpi4py import MPI

Listener = Callable[[float], None]


@dataclass(frozen=True)
class Limits:
    smallest: float = 1e-4
    largest: float = 0.1
    safety: float = 0.8

    def clip(self, value: float) -> float:
        return min(max(value, self.smallest), self.largest)


class StepControl:
    def __init__(self, comm: MPI.Intracomm, limits: Limits, first: float) -> None:
        self.comm = comm
        self.limits = limits
        self._dt = first
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        self._listeners.append(listener)

    @property
    def dt(self) -> float:
        return self._dt

    @dt.setter
    def dt(self, value: float) -> None:
        self._dt = self.comm.bcast(self.limits.clip(value), root=0)
        for listener in self._listeners:
            listener(self._dt)
