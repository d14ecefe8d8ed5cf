"""Reports in which all ranks take one path begin with the line that computes with the rank."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.findings import callers, rank_lines, report
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.reports import jsonl

PROGRAM = """\
from mpi4py import MPI
from helpers import total
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
first = rank * 10
def share(x, root):
    last = root + 1
    return total(x, last)
def work(own_rank, table):
    low, high = own_rank * 2, 5
    if high > 3:
        total(table[low:], 0)
    total(table[high:],
          size)
for step in range(first):
    work(comm.rank, [])
share([matrix_rank(first)],
      0)
total(size, 0)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "app.py"
    path.write_text(PROGRAM)
    return str(path)


@pytest.mark.parametrize(
    ("line", "expected"), [(line, line in (5, 10, 12, 15, 16, 17, 18)) for line in (5, *range(8, 21))]
)
def test_lines_that_compute_with_the_rank(program: str, line: int, expected: bool) -> None:
    assert rank_lines.computes_with_rank(Site(program, line, "")) is expected


@pytest.mark.parametrize("text", ["def broken(:\n", "", "x = 1\0"])
def test_files_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.py").write_text(text)
    assert not rank_lines.computes_with_rank(Site(str(tmp_path / "odd.py"), 1, ""))
    assert not rank_lines.computes_with_rank(Site(str(tmp_path / "missing.py"), 1, ""))


def through(program: str, *lines: int) -> Site:
    return replace(Site("/lib/helpers.py", 3, "total"), callers=tuple(Site(program, line, "work") for line in lines))


def test_report_begins_with_that_line(program: str) -> None:
    site = through(program, 13, 16)
    finding = Finding("JS105", "", (0, 1), tuple(Side((rank,), "Allreduce()", site) for rank in (0, 1)))
    text = report.plain(report.lines(finding))
    assert text.count(f"--> {program}:16 in work  <- computes with the rank") == 2
    assert f"calls {program}:13 in work" in text
    places = jsonl.as_object(finding)["locations"]
    assert [(place["differs_in"], place["begins_with"]) for place in places] == [(0, 2), (0, 2)]


def test_a_difference_comes_first(program: str) -> None:
    assert callers.heads([through(program, 13, 16), through(program, 12, 19)]) == (2, 2)
    assert callers.heads([through(program, 13, 16)]) == (0,)
    assert callers.heads([through(program, 13, 19)] * 2) == (0, 0)
