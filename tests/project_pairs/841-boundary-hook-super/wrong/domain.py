"""Strips of a one-dimensional rod and the loop that advances them."""
from __future__ import annotations

import abc
import logging
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RodConfig:
    cells: int = 24
    steps: int = 12
    alpha: float = 0.2
    hot: float = 100.0


@dataclass
class StepInfo:
    step: int
    local_change: float
    history: list[float] = field(default_factory=list)


class Strip(abc.ABC):
    """Template for one rank's share of the rod."""

    def __init__(self, comm: MPI.Intracomm, config: RodConfig) -> None:
        self.comm = comm
        self.config = config
        share = np.array_split(np.arange(config.cells), comm.size)[comm.rank]
        self.u = np.zeros(share.size + 2)
        self.history: list[float] = []
        last = comm.size - 1
        self.left = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.right = comm.rank + 1 if comm.rank < last else MPI.PROC_NULL

    @abc.abstractmethod
    def apply_edges(self) -> None:
        """Fill the ghost cells that belong to the physical boundary."""

    def swap_ghosts(self) -> None:
        u = self.u
        self.comm.Sendrecv(u[1:2], dest=self.left, sendtag=1,
                           recvbuf=u[-1:], source=self.right, recvtag=1)
        self.comm.Sendrecv(u[-2:-1], dest=self.right, sendtag=2,
                           recvbuf=u[0:1], source=self.left, recvtag=2)

    def after_step(self, info: StepInfo) -> None:
        change = self.comm.allreduce(info.local_change, op=MPI.MAX)
        self.history.append(change)

    def advance(self, step: int) -> None:
        self.swap_ghosts()
        self.apply_edges()
        inner = self.u[1:-1]
        delta = self.config.alpha * (self.u[2:] - 2.0 * inner + self.u[:-2])
        inner += delta
        self.after_step(StepInfo(step, float(np.abs(delta).max())))

    def run(self) -> list[float]:
        for step in range(self.config.steps):
            self.advance(step)
        return self.history
