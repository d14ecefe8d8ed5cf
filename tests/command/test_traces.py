"""``--trace``: what it prints for each exemption (``tests/traces``), for what is reported, and for mistakes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT

from jaxmpi_lint.command import cli
from jaxmpi_lint.command.tracers import exemptions_of, tracers
from jaxmpi_lint.rules import registry

STORED = sorted((ROOT / "tests" / "traces").glob("*.txt"))
RENEW = "python tools/check_exemptions.py --write-traces"

PROGRAM = """\
from mpi4py import MPI

comm = MPI.COMM_WORLD


def share(value, flag):
    if comm.rank == 0:
        comm.bcast(value, root=0)
    else:
        value = comm.bcast(None, root=0)
    if flag:
        comm.Barrier()
    if comm.rank == 0 and flag:
        comm.Barrier()
    comm.Barrier()
    return value


def root_only(value):
    if comm.rank == 0:
        share(value, True)
    for number in range(3):
        print(number)
    if comm.rank == 0:
        comm.Barrier()  # jaxmpi-lint: ignore[JM101] known
"""


def tool() -> ModuleType:
    """The module ``tools/check_exemptions.py``."""
    spec = importlib.util.spec_from_file_location("check_exemptions", ROOT / "tools" / "check_exemptions.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CHECK = tool()
PROGRAMS = {str(case): case for case in CHECK.programs()}


@pytest.mark.parametrize("file", STORED, ids=lambda file: str(file.stem))
def test_trace_of_an_exemption(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    program, code, place = CHECK.stored(text)
    found = CHECK.printed(PROGRAMS[program], code, place)
    assert f"exemption: {file.stem.partition('-')[2]}\n" in found
    assert found == text.partition("\n\n")[2], f"if it is meant to be so: {RENEW}"


def test_every_exemption_has_a_trace() -> None:
    names = {f"{codes.split()[0]}-{exemption.name}" for codes, tracer in tracers() for exemption in tracer.exemptions}
    assert names == {file.stem for file in STORED}, RENEW


def test_every_exemption_says_why_in_one_sentence() -> None:
    for rule in registry.load():
        for exemption in exemptions_of(rule):
            assert exemption.why.endswith(".") and exemption.why.count(". ") == 0


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint]\nexclude = ["left_out.py"]\n')
    (tmp_path / "a.py").write_text(PROGRAM)
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "left_out.py").write_text(PROGRAM)
    (tmp_path / "broken.py").write_text("from mpi4py import MPI\nprint 'rank'\n")

    def printed(*arguments: str) -> tuple[int, str, str]:
        status = cli.main(["--trace", *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return printed


REPORTED = """\
a.py:13: `if comm.rank == 0 and flag` in `share`
  test: depends on the rank (divides the processes of MPI.COMM_WORLD)
    line 13: rank in MPI.COMM_WORLD: differs between processes
  if it holds: `Barrier` on MPI.COMM_WORLD (line 14)
  if it does not hold: no communication
  result: reported as JM101 (error, confidence high)
    line 14: only one side reaches `Barrier` on MPI.COMM_WORLD
"""
UNKNOWN = """\
a.py:11: `if flag` in `share`
  test: unknown whether it differs between processes
    line 11: parameter `flag` of `share`
  if it holds: `Barrier` on MPI.COMM_WORLD (line 12)
  if it does not hold: no communication
  result: silent: a test whose uniformity is unknown is not reported
"""
UNIFORM = """\
a.py:22: `for number in range(3)` in `root_only`
  test: equal on all processes
  if it iterates: no communication
  if it ends: no communication
  result: silent: all processes take the same side
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [(13, REPORTED), (14, REPORTED), (11, UNKNOWN), (12, UNKNOWN), (22, UNIFORM), (23, UNIFORM)],
)
def test_branch_communication_and_statement(trace, row: int, expected: str) -> None:  # type: ignore[no-untyped-def]
    assert trace("JM101", f"a.py:{row}") == (0, expected, "")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (20, "  result: reported as JM105 (error, confidence high), not as JM101: it is the more specific rule\n"),
        (24, "  result: found as JM101, and suppressed by a comment\n"),
        (15, "a.py:15: no branch decides whether `comm.Barrier` on line 15 is called: every path reaches it\n"),
        (1, "a.py:1: line 1 contains no branch, and no call that is known to communicate\n"),
    ],
)
def test_result(trace, row: int, expected: str) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = trace("JM101", f"a.py:{row}")
    assert status == 0
    assert expected in out


def test_file_without_communication(trace) -> None:  # type: ignore[no-untyped-def]
    expected = "plain.py: the file neither communicates nor calls communicating functions, "
    expected += "so JM101 does not analyse it\n"
    assert trace("collective-in-rank-branch", "plain.py:1") == (0, expected, "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("JM101", "a.py"), "error: --trace a.py: not of the form FILE:LINE, with a line number from 1\n"),
        (("JM101", "a.py:0"), "error: --trace a.py:0: not of the form FILE:LINE, with a line number from 1\n"),
        (("JM101", "b.py:1"), "error: --trace b.py:1: no such file; check the path\n"),
        (("JM101", "a.py:99"), "error: a.py:99: the file has only 25 lines\n"),
        (("JM101", "left_out.py:7"), "error: left_out.py: not read; the setting `exclude` excludes it\n"),
        (("JM101", "broken.py:1"), "error: broken.py: cannot be parsed: this is Python 2"),
        (("JM000", "a.py:1"), "error: unknown rule 'JM000'; "),
        (("JM201", "a.py:1"), "error: JM201 has no trace; JM101, "),
    ],
)
def test_mistakes(trace, arguments: tuple[str, str], expected: str) -> None:  # type: ignore[no-untyped-def]
    status, out, err = trace(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(expected) and err.count("\n") == 1


OTHER_ENGINES = """\
from mpi4py import MPI


def load(comm: MPI.Comm, path, root=0):
    if comm.rank == root:
        print(path)
    if comm.rank == 0 and path is None:
        raise ValueError("no path")
    MPI.COMM_WORLD.Barrier()
    return comm.bcast(path, root=0)
"""
LONE_EXIT = """\
b.py:8: `raise ValueError("no path")` in `load`
  reached if: all of these hold
    line 7: `comm.rank == 0` holds (rank)
    line 7: `path is None` holds (unknown)
  role: processes where `comm.rank == 0` holds
    line 7: rank in `comm`: differs between processes
  the others: must reach a collective
    line 10: `bcast` on `comm`
  result: reported as JM103 (warning, confidence high)
    line 8: only one role exits here
"""
WORLD = """\
b.py:9: `MPI.COMM_WORLD.Barrier()` in `load`
  communicator: the function takes one
    line 4: `comm`
  result: reported as JM412 (warning, confidence high)
    line 9: `Barrier` is called on MPI.COMM_WORLD
"""
ROOT_OF_CALL = """\
b.py:10: `comm.bcast(path, root=0)` in `load` and parameter `root`
  root: the constant 0
  parameter: is a rank
    line 5: here
  result: reported as JM117 (warning, confidence high)
    line 10: the root is not `root`
"""


@pytest.mark.parametrize(
    ("code", "row", "expected"),
    [
        ("JM103", 8, LONE_EXIT),
        ("JM103", 9, "b.py:9: line 9 has no reachable `raise`, `assert` or exit\n"),
        ("JM412", 9, WORLD),
        ("JM412", 1, "b.py:1: line 1 is in no function that takes exactly one communicator\n"),
        ("JM117", 10, ROOT_OF_CALL),
        ("JM117", 9, "b.py:9: line 9 has no collective with a constant root\n"),
    ],
)
def test_other_engines(trace, tmp_path: Path, code: str, row: int, expected: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "b.py").write_text(OTHER_ENGINES)
    assert trace(code, f"b.py:{row}") == (0, expected, "")
