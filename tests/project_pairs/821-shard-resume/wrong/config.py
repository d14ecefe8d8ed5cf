"""Run settings for the advection demo."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class GridSpec:
    base_cells: int = 64
    extra_per_rank: int = 48

    def cells_for(self, rank: int) -> int:
        return self.base_cells + self.extra_per_rank * rank


@dataclass(frozen=True)
class RunConfig:
    workdir: Path
    grid: GridSpec = field(default_factory=GridSpec)
    save_every: int = 5
    first_leg: int = 20
    last_step: int = 40
    quota_bytes: int = 4200
    cfl: float = 0.4
