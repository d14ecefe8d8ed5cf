"""One code of the sanitizer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is: only an error ends the job."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True)
class Entry:
    """One code. ``rules`` are the lint rules that may explain it, the likeliest first."""

    code: str
    severity: Severity
    title: str
    explanation: str
    remedy: str
    rules: tuple[str, ...] = ()
