"""The ``github`` format: workflow commands that GitHub Actions shows as annotations of the changed lines."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Diagnostic, Severity
from jaxmpi_lint.reporters.display import clean
from jaxmpi_lint.reporters.report import Report, place

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(report: Report) -> str:
    """One command for each finding."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in report.ordered)


def _command(diagnostic: Diagnostic) -> str:
    properties = {"file": diagnostic.filename, **_region(diagnostic), "title": f"jaxmpi-lint ({diagnostic.code})"}
    inside = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{LEVELS[diagnostic.severity]} {inside}::{_data(_message(diagnostic))}"


def _region(diagnostic: Diagnostic) -> dict[str, int]:
    """Lines, and columns where the finding is on one line (columns of two different lines are rejected).

    A position in a notebook's cell is not a position in the file: such a finding is attached to the file's first line.
    """
    if diagnostic.cell is not None:
        return {"line": 1, "col": 1}
    region = {"line": diagnostic.start.row, "col": diagnostic.start.column, "endLine": diagnostic.end.row}
    if diagnostic.start.row == diagnostic.end.row:
        region["endColumn"] = diagnostic.end.column
    return region


def _message(diagnostic: Diagnostic) -> str:
    """The finding, its steps and its remedy, one line each."""
    start = place(diagnostic.filename, diagnostic.cell, diagnostic.start)
    steps = [f"{place(step.filename, step.cell, step.start)}: {clean(step.message)}" for step in diagnostic.related]
    remedy = [clean(diagnostic.remedy)] if diagnostic.remedy else []
    return "\n".join([f"{start}: {diagnostic.code} {clean(diagnostic.message)}", *steps, *remedy])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
