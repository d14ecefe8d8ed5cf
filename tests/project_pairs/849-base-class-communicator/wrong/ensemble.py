"""Ensemble members, each on its own group of ranks."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from base import ParallelModel


@dataclass(frozen=True)
class EnsembleConfig:
    members: int = 2
    cells: int = 40
    steps: int = 6

    def member_of(self, rank: int, size: int) -> int:
        return rank * min(self.members, size) // size


class Member(ParallelModel):
    """One member; its growth rate depends on its number."""

    def __init__(self, world: MPI.Intracomm, config: EnsembleConfig) -> None:
        self.number = config.member_of(world.rank, world.size)
        self.group = world.Split(color=self.number, key=world.rank)
        self.growth = 0.1 * (self.number + 1)
        super().__init__(world, config.cells)

    def initial(self, x: np.ndarray) -> np.ndarray:
        return 1.0 + 0.1 * x * (self.number + 1)

    def tendency(self) -> np.ndarray:
        return self.growth * self.state

    @property
    def is_lead(self) -> bool:
        return self.group.rank == 0

    def mass(self) -> float:
        return self.group.allreduce(float(self.state.sum()), op=MPI.SUM)

    def close(self) -> None:
        self.group.Free()
