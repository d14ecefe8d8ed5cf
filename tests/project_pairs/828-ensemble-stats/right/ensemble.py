"""Ensemble members, each owned by a team of ranks."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Iterator, Mapping

import numpy as np
from mpi4py import MPI

from plugins import Statistic, create


@dataclass(frozen=True)
class EnsembleConfig:
    members: int = 2
    samples: int = 80
    statistics: Mapping[str, dict[str, float]] = field(
        default_factory=lambda: {"mean": {}, "quantile": {"level": 0.9}}
    )


class Member:
    def __init__(self, index: int, team: MPI.Comm, cfg: EnsembleConfig) -> None:
        self.index = index
        self.team = team
        self.cfg = cfg

    @property
    def offset(self) -> float:
        return 10.0 * self.index

    def _statistic(self, name: str, options: dict[str, float]) -> Statistic:
        return create(name, comm=self.team, **options)

    def sample(self) -> np.ndarray:
        count = self.cfg.samples // self.team.size
        seed = 1000 * self.index + self.team.rank
        return self.offset + np.random.default_rng(seed).normal(size=count)

    def summary(self) -> dict[str, float]:
        values = self.sample()
        return {
            name: self._statistic(name, options).compute(values)
            for name, options in self.cfg.statistics.items()
        }


@contextmanager
def team_member(world: MPI.Comm, cfg: EnsembleConfig) -> Iterator[Member]:
    groups = min(cfg.members, world.size)
    index = world.rank * groups // world.size
    team = world.Split(color=index, key=world.rank)
    yield Member(index, team, cfg)
    team.Free()
