"""The ``full`` format without a terminal: source and steps as plain text, without importing rich."""

from __future__ import annotations

from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.reporters.story import lines


def full(report: Report, columns: int | None) -> str:
    """Every finding with its source lines, then the counts and the closing line."""
    findings = [
        "\n".join("".join(text for text, _ in line).rstrip() for line in lines(diagnostic, report, columns))
        for diagnostic in report.ordered
    ]
    ending = [] if report.quiet else [report.verdict(), report.closing()]
    blocks = [*findings, "\n".join(ending)] if ending else findings
    return "\n\n".join(blocks) + "\n" if blocks else ""
