"""Right programs that look suspicious: every rule at default settings stays silent (`tests/right_programs`)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from places import RIGHT_PROGRAMS

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Severity

ROWS = list(csv.DictReader((RIGHT_PROGRAMS / "index.csv").read_text(encoding="utf-8").splitlines()))
EVERY = 5
FOLDERS = [
    pytest.param(
        RIGHT_PROGRAMS / row["program"],
        marks=pytest.mark.jobs if row["first run"] != "nothing" or number % EVERY == 0 else pytest.mark.soak,
        id=row["program"],
    )
    for number, row in enumerate(ROWS)
]


@pytest.mark.parametrize("folder", FOLDERS)
def test_silent(folder: Path) -> None:
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    shown = [
        f"{diagnostic.filename}:{diagnostic.start.row}: {diagnostic.code} {diagnostic.message}"
        for diagnostic in testing.lint(texts)
        if diagnostic.severity is not Severity.INFO and diagnostic.confidence is not Confidence.LOW
    ]
    assert shown == []


def test_every_program_has_a_row() -> None:
    folders = {path.name for path in RIGHT_PROGRAMS.iterdir() if path.is_dir()}
    assert folders == {row["program"] for row in ROWS}
