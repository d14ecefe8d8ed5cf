"""Diagnostics: the one data type shared by rules, reporters, baseline, cache and fixes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Severity of a finding; the exit code is 1 for a shown error or warning, 0 for info alone."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def order(self) -> int:
        """0 for the most severe."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """Confidence in a finding, derived from the provenance of its reasons."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def order(self) -> int:
        """0 for the highest confidence."""
        return list(Confidence).index(self)


class Applicability(StrEnum):
    """Whether a fix keeps the meaning (``safe``), may change it (``unsafe``), or is only shown (``display``)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a file or notebook cell; rows and columns (in characters) start at 1."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text from ``start`` up to, not including, ``end`` by ``content``."""

    start: Position
    end: Position
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix; all of its edits are applied, or none."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """One step of the story: a different line that is part of the finding."""

    filename: str
    start: Position
    message: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, located.

    ``filename`` is the displayed name (relative to the working directory where possible, POSIX separators). ``cell``
    numbers the code cells of a notebook from 1 (positions then count within the cell), otherwise it is ``None``.
    ``rows`` is the first and last row of the whole statement: a suppression comment on any of them applies. ``remedy``
    is one line with the action to take. ``table`` has the last events of ranks side by side: a row of titles, then one
    row for each event.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    filename: str
    start: Position
    end: Position
    cell: int | None = None
    rows: tuple[int, int] | None = None
    related: tuple[Related, ...] = ()
    remedy: str = ""
    fix: Fix | None = None
    table: tuple[tuple[str, ...], ...] = ()

    @property
    def sort_key(self) -> tuple[str, int, Position, Position, str, str]:
        """The order in which findings are shown."""
        return (self.filename, self.cell or 0, self.start, self.end, self.code, self.message)
