"""Reports name the exception that a rank is handling while it makes its call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.hosts import portable
from jaxmpi_lint.runtime.judging import handling
from jaxmpi_lint.runtime.ledger.snapshot import Handled, Site
from jaxmpi_lint.runtime.reports import jsonl

from .environments import Environment
from .harness import run
from .snapshots import record

KEY = Handled("KeyError", Site("/home/me/load.py", 4, "load"))
REDUCES = Side((0,), "allreduce(op=SUM)", Site("/home/me/app.py", 7, "work"))
WAITS = Side((1,), "Barrier()", Site("/home/me/app.py", 9, "work"))


def handling_in(side: Side, handled: Handled | None) -> Side:
    assert side.site is not None
    return replace(side, site=replace(side.site, handled=handled))


def explained(*handled: Handled | None, remedy: str = "") -> Finding:
    sides = tuple(handling_in(side, one) for side, one in zip((REDUCES, WAITS), handled, strict=False))
    return handling.explained(Finding("JS101", "", (0, 1), sides, remedy=remedy))


def test_line_that_the_exception_has_passed_is_named() -> None:
    finding = explained(None, KEY)
    assert [side.handled for side in finding.sides] == [None, KEY]
    shown = report.plain(report.lines(finding)).splitlines()
    assert "      handles KeyError from /home/me/load.py:4 in load" in shown
    assert [place["handles"] for place in jsonl.as_object(finding)["locations"]] == [
        None,
        {"exception": "KeyError", "file": "/home/me/load.py", "line": 4, "function": "load"},
    ]
    assert "Let all ranks learn of the exception" in finding.help


@pytest.mark.parametrize("handled", [(KEY, KEY), (None, None), (None,)])
def test_other_exceptions_are_not(handled: tuple[Handled | None, ...]) -> None:
    finding = explained(*handled)
    assert not any(side.handled for side in finding.sides)
    assert "exception" not in finding.help


def test_it_is_sent_to_other_hosts() -> None:
    calls = [record(1, 0, "Barrier", site=handling_in(WAITS, KEY).site), record(2, 0, "Barrier", site=WAITS.site)]
    assert portable.unpacked_records(portable.packed_records(calls)) == calls


def test_own_remedy_of_a_finding_remains() -> None:
    assert explained(None, KEY, remedy="Do this.").help == "Do this."


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
