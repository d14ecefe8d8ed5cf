"""Selection cuts applied one after the other."""
from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table import ParticleTable

log = logging.getLogger("cuts")


@dataclass(frozen=True)
class Cut:
    name: str
    threshold: float


@dataclass(frozen=True)
class CutResult:
    cut: Cut
    energy: float


class CutFlow:
    def __init__(self, cuts: Sequence[Cut]) -> None:
        self.cuts = tuple(cuts)
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Cut]:
        return iter(self.cuts)

    def _note(self, cut: Cut, table: ParticleTable) -> None:
        filled = bool(table)
        if table.comm.rank == 0 and not filled:
            self.warnings.append(cut.name)
            log.warning("nothing is left after cut %r", cut.name)

    def apply(self, table: ParticleTable) -> Iterator[CutResult]:
        for cut in self:
            table = table.above(cut.threshold)
            self._note(cut, table)
            yield CutResult(cut, table.energy())
