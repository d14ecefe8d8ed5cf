"""`jaxmpi-sanitize status` and `report`: what they print, and what they say where there is nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.commands import command
from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.reports import jsonl, rank_table
from sanitizer.snapshots import blocked, collective, communicator, job, rank, running, signature

BARRIER = blocked("Barrier", collective(1), signed=signature("MPI_Barrier"))


def test_whereabouts_group_ranks_and_say_for_whom_they_wait(tmp_path: Path) -> None:
    program = tmp_path / "slow.py"
    program.write_text("load()\ncomm.Barrier()\n")
    waiting = replace(BARRIER, site=Site(str(program), 2, "<module>"), entered=90.0)
    working = replace(running(), function="MPI_Init_thread", entered=80.0)
    snapshot = job(rank(0, waiting), rank(1, working), rank(2, waiting), rank(3, state="exited", exit_status=2))
    snapshot = replace(snapshot, communicators=(communicator([1, 0, 1, 0]),))
    text = report.plain(rank_table.lines(snapshot))
    assert "ranks 0 and 2  in Barrier() for 10.0 s  <- wait for ranks 1 and 3" in text
    assert "2 | comm.Barrier()" in text
    assert "rank 1  in the program, after Init_thread for 20.0 s" in text
    assert "rank 3  exited with status 2" in text


def test_report_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "findings.jsonl"
    side = Side((0, 1), "Barrier()", Site("/app/x.py", 3, "f"))
    one = jsonl.as_object(Finding("JS201", "ranks 0 and 1 wait", (0, 1), (side,)), "JM101")
    assert jsonl.append(str(file), [one, one]) is None
    assert [json.loads(line)["rule"] for line in file.read_text().splitlines()] == ["JM101", "JM101"]
    assert command.main(["report", str(file)]) == 0
    out = capsys.readouterr().out
    assert "JS201 error: ranks 0 and 1 wait" in out
    assert "--> /app/x.py:3" in out
    assert "2 findings" in out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "no command"),
        (["stauts"], "no command 'stauts'"),
        (["report", "/nowhere/at/all"], "no such file or folder"),
        (["report", "."], "neither report.txt nor ledger"),
    ],
)
def test_misuse_is_one_clear_message(
    arguments: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command.main(arguments) == 2
    assert text in capsys.readouterr().err


def test_file_that_is_no_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x"
    file.write_text("no json\n")
    assert command.main(["report", str(file)]) == 2
    assert "not a file of JSON lines" in capsys.readouterr().err


def test_unwritable_report_file_is_said(tmp_path: Path) -> None:
    assert jsonl.append(str(tmp_path / "none" / "x.jsonl"), [{}]) == "No such file or directory"


def test_colours_on_a_terminal_only() -> None:
    class Terminal:
        encoding = "utf-8"
        text = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            self.text += text
            return len(text)

        def flush(self) -> None:
            pass

    stream = Terminal()
    lines = list(report.lines(Finding("JS201", "ranks 0 and 1 wait", (0, 1))))
    report.write(lines, stream)  # type: ignore[arg-type]
    assert "JS201 error" in stream.text
