"""Reports name the exception that a rank is handling while it makes its call."""

from __future__ import annotations

import pytest
from places import LIBRARIES

from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding, Handled, Side
from jaxmpi_lint.runtime.judging import handling, stacks
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.reports import jsonl

from .environments import Environment
from .harness import run

FAILED = f"""\
Thread 7 (most recent call first):
  Handling builtins.KeyError
    File "/home/me/app.py", line 6, in work
    File "/home/me/load.py", line 4, in load
    File "{LIBRARIES}/tables/core.py", line 30, in get
  File "/home/me/app.py", line 9, in work
  File "/home/me/app.py", line 12, in <module>
"""
WELL = FAILED.replace("Handling", "Running").replace("line 9, in work", "line 7, in work")
REDUCES = Side((0,), "allreduce(op=SUM)", Site("/home/me/app.py", 7, "work"))
WAITS = Side((1,), "Barrier()", Site("/home/me/app.py", 9, "work"))
KEY = Handled("KeyError", Site("/home/me/load.py", 4, "load"))


def explained(*texts: str, remedy: str = "") -> Finding:
    finding = Finding("JS101", "", (0, 1), (REDUCES, WAITS)[: len(texts)], remedy=remedy)
    return handling.explained(finding, {rank: stacks.parse(text) for rank, text in enumerate(texts)})


def test_innermost_line_of_the_program_is_named() -> None:
    finding = explained(WELL, FAILED)
    assert [side.handled for side in finding.sides] == [None, KEY]
    shown = report.plain(report.lines(finding)).splitlines()
    assert "      handles KeyError from /home/me/load.py:4 in load" in shown
    assert [place["handles"] for place in jsonl.as_object(finding)["locations"]] == [
        None,
        {"exception": "KeyError", "file": "/home/me/load.py", "line": 4, "function": "load"},
    ]
    assert "Let all ranks learn of the exception" in finding.help


def test_line_of_a_library_is_named_if_there_is_no_other() -> None:
    alone = "\n".join(line for line in FAILED.splitlines() if "/home/me/" not in line or line[2] != " ")
    (_, side) = explained(WELL, alone).sides
    assert side.handled is not None
    assert side.handled.site.file == f"{LIBRARIES}/tables/core.py"


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((WELL, FAILED.replace("line 9", "line 8")), id="another call"),
        pytest.param((FAILED.replace("line 9", "line 7"), FAILED), id="the same exception on both sides"),
        pytest.param((WELL, "\n".join(FAILED.splitlines()[:2])), id="no traceback"),
        pytest.param(("", ""), id="no answer"),
    ],
)
def test_other_exceptions_are_not(texts: tuple[str, str]) -> None:
    finding = explained(*texts)
    assert not any(side.handled for side in finding.sides)
    assert "exception" not in finding.help


def test_own_remedy_of_a_finding_remains() -> None:
    assert explained(WELL, FAILED, remedy="Do this.").help == "Do this."


PROGRAM = """
from mpi4py import MPI
comm = MPI.COMM_WORLD

class Absent(Exception):
    pass

def load(name):
    if name == "b":
        raise Absent(name)  # here

def work():
    try:
        load("b" if comm.rank == 1 else "a")
        comm.allreduce(1)
    {clause}
        comm.Barrier()

def values():
    try:
        load("a")
        yield 1
    finally:
        pass

for _ in values():
    work()
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize("clause", ["except Absent:", "finally:"])
def test_exception_of_a_running_job(mpi: Environment, clause: str) -> None:
    result = run(mpi, PROGRAM.format(clause=clause), 2)
    (error,) = result.errors
    line = PROGRAM[: PROGRAM.index("  # here")].count("\n") + 1
    handled = {place["rank"]: place["handles"] for place in error.raw["locations"]}
    assert handled[0] is None, str(result)
    assert (handled[1]["exception"], handled[1]["line"], handled[1]["function"]) == ("Absent", line, "load"), str(
        result
    )
