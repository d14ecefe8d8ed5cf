"""The ``json`` and ``jsonl`` formats: every finding as one object, in a list or one on each line."""

from __future__ import annotations

import json

from jaxmpi_lint.findings.diagnostics import Diagnostic, Fix, Position
from jaxmpi_lint.reporters.report import Report

Value = dict[str, object]


def array(report: Report) -> str:
    """The findings as one list."""
    return json.dumps([finding(diagnostic, report) for diagnostic in report.ordered], indent=2) + "\n"


def lines(report: Report) -> str:
    """The findings, one on each line."""
    return "".join(json.dumps(finding(diagnostic, report)) + "\n" for diagnostic in report.ordered)


def finding(diagnostic: Diagnostic, report: Report) -> Value:
    """The object of one finding."""
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "confidence": diagnostic.confidence.value,
        "message": diagnostic.message,
        "help": diagnostic.remedy or None,
        "filename": diagnostic.filename,
        "cell": diagnostic.cell,
        "location": _position(diagnostic.start),
        "end_location": _position(diagnostic.end),
        "related": [
            {"filename": step.filename, "location": _position(step.start), "message": step.message}
            for step in diagnostic.related
        ],
        "ranks": [list(row) for row in diagnostic.table],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
        "url": report.url(diagnostic.code),
    }


def _fix(fix: Fix) -> Value:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [
            {"location": _position(edit.start), "end_location": _position(edit.end), "content": edit.content}
            for edit in fix.edits
        ],
    }


def _position(position: Position) -> Value:
    return {"row": position.row, "column": position.column}
