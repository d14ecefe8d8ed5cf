"""Storage of solver state, one folder of shards for each rank."""
from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Iterator

import numpy as np

log = logging.getLogger(__name__)
_PATTERN = re.compile(r"step_(\d{6})\.npy$")


class QuotaExceeded(OSError):
    """The shard would not fit in the space allowed."""


class ShardStore:
    def __init__(self, root: Path, rank: int, quota: int) -> None:
        self.folder = root / f"shard_{rank:04d}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.quota = quota

    def _path(self, step: int) -> Path:
        return self.folder / f"step_{step:06d}.npy"

    def steps(self) -> Iterator[int]:
        for entry in self.folder.iterdir():
            found = _PATTERN.match(entry.name)
            if found:
                yield int(found.group(1))

    def used(self) -> int:
        return sum(p.stat().st_size for p in self.folder.iterdir())

    def write(self, step: int, values: np.ndarray) -> None:
        if self.used() + values.nbytes > self.quota:
            raise QuotaExceeded(f"{self.folder} is full")
        partial = self._path(step).with_suffix(".part")
        with partial.open("wb") as handle:
            np.save(handle, values)
        partial.replace(self._path(step))

    def read(self, step: int) -> np.ndarray:
        return np.load(self._path(step))

    def newest(self) -> int:
        return max(self.steps(), default=0)
