"""The ``gitlab`` format: a Code Quality report, which GitLab compares between the branches of a merge request."""

from __future__ import annotations

import json

from jaxmpi_lint.findings.diagnostics import Diagnostic, Position, Severity
from jaxmpi_lint.reporters.display import clean
from jaxmpi_lint.reporters.fingerprinting import fingerprinted
from jaxmpi_lint.reporters.report import Report

LEVELS = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
Value = dict[str, object]


def gitlab(report: Report) -> str:
    """The report as one list; each fingerprint occurs once."""
    issues = [_issue(diagnostic, identity) for diagnostic, identity in fingerprinted(report.ordered, report)]
    return json.dumps(issues, indent=2) + "\n"


def _issue(diagnostic: Diagnostic, fingerprint: str) -> Value:
    inside = f"cell {diagnostic.cell}, line {diagnostic.start.row}: " if diagnostic.cell is not None else ""
    remedy = f"; {clean(diagnostic.remedy)}" if diagnostic.remedy else ""
    begin, end = (diagnostic.start, diagnostic.end) if diagnostic.cell is None else (Position(1, 1), Position(1, 1))
    return {
        "type": "issue",
        "check_name": diagnostic.code,
        "description": f"{diagnostic.code}: {inside}{clean(diagnostic.message)}{remedy}",
        "categories": ["Bug Risk"],
        "severity": LEVELS[diagnostic.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": diagnostic.filename,
            "positions": {"begin": _position(begin), "end": _position(end)},
        },
    }


def _position(position: Position) -> Value:
    return {"line": position.row, "column": position.column}
