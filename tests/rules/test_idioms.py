"""Idioms of correct programs, as mature code bases write them: every rule at default settings stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import IDIOMS

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Severity

FILES = sorted(IDIOMS.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_silent(path: Path) -> None:
    found = testing.lint({path.name: path.read_text(encoding="utf-8")})
    shown = [
        f"{diagnostic.start.row}: {diagnostic.code} {diagnostic.message}"
        for diagnostic in found
        if diagnostic.severity is not Severity.INFO and diagnostic.confidence is not Confidence.LOW
    ]
    assert shown == []
