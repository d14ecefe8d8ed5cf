"""Statistics that can be asked for by name."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Callable, Optional, Type

import numpy as np
from mpi4py import MPI

_REGISTRY: dict[str, Type["Statistic"]] = {}


def register(name: str) -> Callable[[Type["Statistic"]], Type["Statistic"]]:
    def wrap(cls: Type["Statistic"]) -> Type["Statistic"]:
        _REGISTRY[name] = cls
        return cls

    return wrap


def create(name: str, **options: Any) -> "Statistic":
    return _REGISTRY[name](**options)


class Statistic(ABC):
    def __init__(self, comm: Optional[MPI.Comm] = None) -> None:
        self.comm = comm if comm is not None else MPI.COMM_WORLD

    @abstractmethod
    def compute(self, values: np.ndarray) -> float: ...


@register("mean")
class Mean(Statistic):
    def compute(self, values: np.ndarray) -> float:
        local = np.array([values.sum(), float(values.size)])
        total = np.empty_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        return float(total[0] / total[1])


@register("quantile")
class Quantile(Statistic):
    def __init__(self, level: float = 0.5, comm: Optional[MPI.Comm] = None) -> None:
        super().__init__(comm)
        self.level = level

    def compute(self, values: np.ndarray) -> float:
        pieces = self.comm.allgather(values)
        return float(np.quantile(np.concatenate(pieces), self.level))
