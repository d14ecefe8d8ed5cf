"""One code of the sanitizer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The severity of a finding: only an error ends the job."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Entry:
    """One code. ``rules`` are the related lint rules, the most likely first."""

    code: str
    severity: Severity
    name: str  # a slug, as rules have
    explanation: str
    remedy: str
    rules: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()  # of what a rank detected, as `kFindingKinds` names them
    differences: tuple[str, ...] = ()  # between the calls of a collective, as `kDifferences` names them
    compiled: str = ""  # the remedy for a program in C or Fortran, if `remedy` speaks of Python
