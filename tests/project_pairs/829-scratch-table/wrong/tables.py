"""Opacity tables: computed once, read by everyone."""
from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from types import TracebackType
from typing import Optional, Type

import numpy as np
from mpi4py import MPI

from settings import Settings

log = logging.getLogger(__name__)


class TableCache:
    """Owner of the scratch folder for the duration of a run."""

    def __init__(self, comm: MPI.Comm, settings: Settings) -> None:
        self.comm = comm
        self.settings = settings

    def __enter__(self) -> "TableCache":
        if self.comm.rank == 0:
            self.settings.scratch.mkdir(parents=True)
            self._write_all()
        self.comm.Barrier()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is not None:
            log.error("giving up: %s", value)
            self.comm.Abort(1)
        self.comm.Barrier()
        if self.comm.rank == 0:
            shutil.rmtree(self.settings.scratch)

    def _path(self, temperature: float) -> Path:
        return self.settings.scratch / f"kappa_{temperature:06.0f}.npy"

    def _write_all(self) -> None:
        nu = np.linspace(0.1, 4.0, self.settings.bins)
        for temperature in self.settings.temperatures:
            kappa = nu**3 / np.expm1(nu * 1000.0 / temperature)
            np.save(self._path(temperature), kappa)
        index = {"temperatures": list(self.settings.temperatures)}
        (self.settings.scratch / "index.json").write_text(json.dumps(index))

    def table(self, temperature: float) -> np.ndarray:
        log.debug("reading %s", self._path(temperature))
        return np.load(self._path(temperature))

    def temperatures(self) -> list[float]:
        index = json.loads((self.settings.scratch / "index.json").read_text())
        return index["temperatures"]
