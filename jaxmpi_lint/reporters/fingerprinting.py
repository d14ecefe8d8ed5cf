"""Fingerprints of findings that are stable when lines move, made unique within a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.reporters.fingerprints import fingerprint
from jaxmpi_lint.reporters.report import Report


def fingerprinted(diagnostics: Iterable[Diagnostic], report: Report) -> Iterator[tuple[Diagnostic, str]]:
    """Each finding with its fingerprint and, since fingerprints may be equal, its number among equal ones."""
    seen: Counter[str] = Counter()
    for diagnostic in diagnostics:
        content = fingerprint(diagnostic, report.texts.get(diagnostic.filename, ""))
        seen[content] += 1
        yield diagnostic, f"{content}:{seen[content]}"
