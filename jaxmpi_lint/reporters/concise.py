"""The ``concise`` format: one line for each finding, as parsed by editors and grep."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Applicability, Diagnostic
from jaxmpi_lint.reporters.display import clean
from jaxmpi_lint.reporters.report import Report, place


def concise(report: Report) -> str:
    """``file:row:column: CODE message`` for each finding; ``[*]`` marks those that ``--fix`` fixes."""
    lines = [_line(diagnostic) for diagnostic in report.ordered]
    if not report.quiet:
        lines += [*filter(None, [report.tally()]), report.closing()]
    return "".join(f"{line}\n" for line in lines)


def _line(diagnostic: Diagnostic) -> str:
    where = place(clean(diagnostic.filename), diagnostic.cell, diagnostic.start)
    safe = diagnostic.fix is not None and diagnostic.fix.applicability is Applicability.SAFE
    return f"{where}: {diagnostic.code} {'[*] ' if safe else ''}{clean(diagnostic.message)}"
