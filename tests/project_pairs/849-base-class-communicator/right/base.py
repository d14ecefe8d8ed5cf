"""Base of all models that live on a communicator."""
from __future__ import annotations

import abc
import logging

import numpy as np
from mpi4py import MPI

log = logging.getLogger(__name__)


class ParallelModel(abc.ABC):
    def __init__(self, comm: MPI.Intracomm, cells: int) -> None:
        self.comm = comm
        self.first = cells * comm.rank // comm.size
        self.stop = cells * (comm.rank + 1) // comm.size
        self.state = self.initial(np.arange(self.first, self.stop, dtype=float))

    @abc.abstractmethod
    def initial(self, x: np.ndarray) -> np.ndarray:
        """The start values at the given cells."""

    @abc.abstractmethod
    def tendency(self) -> np.ndarray:
        """The change of the state in one step."""

    def total(self) -> float:
        return self.comm.allreduce(float(self.state.sum()), op=MPI.SUM)

    def normalise(self, target: float = 1.0) -> None:
        self.state *= target / self.total()

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.state = self.state + self.tendency()
            self.normalise()
