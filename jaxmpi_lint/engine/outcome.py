"""Outcome of linting one project, before any selection for display."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.findings.model import RuleInfo, Suppressed


@dataclass(frozen=True, slots=True)
class Outcome:
    """All findings of one project, the suppressed findings, and counts.

    ``paths`` maps file names in findings to the files. ``warnings`` are about the settings, ``failures`` list the
    findings that are missing because of internal errors, ``notes`` are for ``--verbose``.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    paths: dict[str, str] = field(default_factory=dict)
    rules: tuple[RuleInfo, ...] = ()
    files: int = 0
    communicating: int = 0
    not_analysed: int = 0
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
