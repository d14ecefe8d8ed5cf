"""A set of decaying oscillators, distributed over ranks."""
from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from control import StepControl

log = logging.getLogger("ode")


@dataclass
class Progress:
    time: float = 0.0
    steps: int = 0


class Oscillators:
    def __init__(self, comm: MPI.Intracomm, count: int, control: StepControl) -> None:
        self.comm = comm
        mine = np.arange(comm.rank, count, comm.size)
        self.rate = 1.0 + 0.5 * mine
        self.y = np.ones(mine.size)
        self.control = control
        self.progress = Progress()

    def _step(self, dt: float) -> float:
        k1 = -self.rate * self.y
        k2 = -self.rate * (self.y + dt * k1)
        error = 0.5 * dt * np.abs(k2 - k1).max(initial=0.0)
        self.y += 0.5 * dt * (k1 + k2)
        return float(error)

    def _adapt(self, error: float, tolerance: float) -> None:
        worst = self.comm.reduce(error, op=MPI.MAX, root=0)
        if self.comm.rank == 0:
            factor = np.sqrt(tolerance / max(worst, 1e-14))
            wanted = self.control.dt * self.control.limits.safety * float(factor)
            self.control.dt = wanted

    def integrate(self, end: float, tolerance: float) -> Progress:
        while self.progress.time < end:
            dt = min(self.control.dt, end - self.progress.time)
            error = self._step(dt)
            self.progress.time += dt
            self.progress.steps += 1
            self._adapt(error, tolerance)
        return self.progress
