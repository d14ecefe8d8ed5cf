"""A subject that tells its observers about finished steps."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

Observer = Callable[[MPI.Intracomm, np.ndarray], Any]
_REGISTRY: dict[str, Observer] = {}


def observer(name: str) -> Callable[[Observer], Observer]:
    def wrap(func: Observer) -> Observer:
        _REGISTRY[name] = func
        return func
    return wrap


class Subject:
    def __init__(self, comm: MPI.Intracomm) -> None:
        self.comm = comm
        self._active: set[str] = set()
        self.results: dict[str, list[float]] = {}

    def attach(self, *names: str) -> None:
        for name in names:
            if name not in _REGISTRY:
                raise KeyError(f"no observer {name!r}, known: {sorted(_REGISTRY)}")
        self._active.update(names)

    def detach(self, name: str) -> None:
        self._active.discard(name)

    def __contains__(self, name: str) -> bool:
        return name in self._active

    def notify(self, data: np.ndarray) -> None:
        for name in sorted(self._active):
            value = _REGISTRY[name](self.comm, data)
            self.results.setdefault(name, []).append(value)
