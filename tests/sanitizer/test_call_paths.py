"""Programs whose MPI calls are in helpers: a report shows the line that a person has to change.

That line is marked ``# change`` in `tests/call_paths`; the marks were set before reports had callers. Each program has
a right twin. `cases.csv` states what a case is, and whether its line is on the stack of a rank at the call at all.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from .environments import ROOT, Environment
from .harness import Finding, Result, run

PROGRAMS = ROOT / "tests" / "call_paths"
SHOWN = 3  # frames of a side among which the line must be
SECONDS = 60
USUAL = (  # run with every test; all of them as soak
    "function_count",
    "module_two_levels_extra_call",
    "method_instance_count",
    "decorator_wraps_extra_call",
    "context_class_extra_call",
    "comprehension_list_extra_call",
    "message_wrong_tag",
    "exit_in_helper",
    "exception_in_caller",
    "mpi4jax_extra_call",
    "c_count",
)
NOT_SHOWN = {
    "module_three_levels_count": "all ranks take one path of four lines, and the line is the outermost",
    "matmul_extra_call": "the call that was made too often has returned before the difference is found",
    "context_with_exception": "the rank communicates while it handles an exception; the line raised it",
    "try_finally_exception": "the rank communicates while it handles an exception; the line raised it",
    "mpi4jax_extra_call": "the function was compiled for another line, and runs again for this one",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One pair of programs."""

    name: str
    ranks: int
    kind: str
    is_active: bool  # the marked line is on the stack at the call
    build: str
    wrong: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def is_c(self) -> bool:
        """Whether the whole program is in C."""
        return self.name.startswith("c_")


def cases() -> list[Case]:
    """All cases of the table."""
    with open(PROGRAMS / "cases.csv", encoding="utf-8", newline="") as file:
        return [
            Case(
                row["name"], int(row["ranks"]), row["kind"], row["marked_line_is_active"] == "yes", row["build"],
                tuple(row["wrong_command"].split()), tuple(row["right_command"].split()),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


CASES = [pytest.param(case, id=case.name, marks=() if case.name in USUAL else pytest.mark.soak) for case in cases()]


def built(case: Case, environment: Environment, folder: Path) -> Path:
    """A copy of the programs, compiled if they have a part in C."""
    place = folder / case.name
    shutil.copytree(PROGRAMS / case.name, place)
    for command in filter(None, case.build.split("&&")):
        subprocess.run(
            command.split(), cwd=place, env=environment.variables(), check=True, capture_output=True, timeout=SECONDS
        )
    return place


def job(case: Case, command: tuple[str, ...], environment: Environment, place: Path) -> Result:
    """Run one of the two programs in its folder."""
    words = [environment.python if word == "python" else word for word in command]
    first = [str(environment.script("jaxmpi-sanitize")), "run"] if case.is_c else []
    inside = ["sh", "-c", 'cd "$0" && exec "$@"', str(place), *first, *words]
    return run(environment, inside, case.ranks, seconds=SECONDS)


def marked(place: Path) -> set[tuple[str, int]]:
    """The lines to change."""
    return {
        (str(path), number)
        for path in (*place.rglob("*.py"), *place.rglob("*.c"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.endswith(("# change", "// change"))
    }


def first_frames(finding: Finding) -> set[tuple[str, int]]:
    """The first frames that a report shows of each side."""
    found: set[tuple[str, int]] = set()
    for location in finding.raw["locations"]:
        path = [(frame["file"], frame["line"]) for frame in (location, *location["callers"])]
        at = location["differs_in"]
        found |= set([path[at], *path[at + 1 :], *reversed(path[:at])][:SHOWN])
    return found


@pytest.mark.runs_mpi
@pytest.mark.parametrize("case", CASES)
def test_line_to_change_is_shown(mpi: Environment, case: Case, tmp_path: Path) -> None:
    place = built(case, mpi, tmp_path)
    result = job(case, case.wrong, mpi, place)
    found = [finding for finding in result.findings if finding.severity != "info"]
    assert found, str(result)
    if not case.is_active:
        return
    shown = marked(place) & first_frames(found[0])
    assert bool(shown) is (case.name not in NOT_SHOWN), str(result)
    for file, line in shown:
        assert f"{Path(file).name}:{line}" in result.err, str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("case", CASES)
def test_right_twin_has_no_error(mpi: Environment, case: Case, tmp_path: Path) -> None:
    result = job(case, case.right, mpi, built(case, mpi, tmp_path))
    assert result.status == 0, str(result)
    assert not result.errors, str(result)
