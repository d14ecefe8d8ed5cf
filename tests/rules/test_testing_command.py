"""The command that lints the valid programs of each rule with all rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules import registry
from jaxmpi_lint.rules.base import Finding, Rule


class Barriers(Rule):
    """Names every call."""

    code = "ABC301"
    name = "barriers"
    severity = Severity.WARNING

    def check_function(self, function: Any) -> Iterator[Finding]:
        """Every call."""
        for call in function.ir.calls():
            yield self.finding(function.module, call.span, "a call")


class Silent(Rule):
    """Never finds anything."""

    code = "ABC302"
    name = "silent"
    severity = Severity.WARNING


def test_the_command_prints_valid_programs_in_which_another_rule_finds_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "load", lambda: [Barriers, Silent])
    (tmp_path / "ABC302").mkdir()
    program = tmp_path / "ABC302" / "valid_call.py"
    program.write_text("from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()\n")
    assert testing.main(["--all-rules", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "ABC302-valid_call: findings and marks differ\n  not marked: valid_call.py:2 ABC301" in printed
    program.write_text("from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()  #! ABC301\n")
    assert testing.main(["--all-rules", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
