"""Settings shared by all parts of the opacity code."""
from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Mapping

from mpi4py import MPI


def default_run_name() -> str:
    return f"opacity-{os.getpid()}"


@dataclass(frozen=True)
class Settings:
    bins: int = 40
    temperatures: tuple[float, ...] = (300.0, 600.0, 1200.0)
    scratch_root: Path = Path(tempfile.gettempdir())
    run_name: str = field(default_factory=default_run_name)

    @property
    def scratch(self) -> Path:
        return self.scratch_root / self.run_name

    @classmethod
    def collective(cls, comm: MPI.Comm, overrides: Mapping[str, Any]) -> "Settings":
        """The settings of this run, with the given fields replaced."""
        base = cls()
        return replace(base, **comm.bcast(overrides, root=0))
