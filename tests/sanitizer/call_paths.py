"""The programs of `tests/call_paths`: read, built and run, and the lines that a report of them has to show."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from .environments import ROOT, Environment
from .harness import Finding, Result, run
from .system_mpi import with_h5py, with_system_mpi

PROGRAMS = ROOT / "tests" / "call_paths"
SHOWN = 3  # frames of a side among which the line must be
SECONDS = 60
SOURCES = ("*.py", "*.pyx", "*.c", "*.f", "*.f90")
MARKS = ("# change", "// change", "! change")


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
    needs: str  # "wheels": MPI from PyPI; "system": that of the Linux distribution; "h5py": its Python

    @property
    def is_compiled(self) -> bool:
        """Whether it is a program without Python."""
        return self.wrong[0].startswith("./")


def cases() -> list[Case]:
    """All cases of the table."""
    with open(PROGRAMS / "cases.csv", encoding="utf-8", newline="") as file:
        return [
            Case(
                row["name"], int(row["ranks"]), row["kind"], row["marked_line_is_active"] == "yes", row["build"],
                tuple(row["wrong_command"].split()), tuple(row["right_command"].split()), row["environment"],
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def environment_for(case: Case, mpi: Environment, folder: Path) -> Environment:
    """Where a case is built and run; skips if that is not installed."""
    if case.needs == "wheels":
        return mpi
    return (with_h5py if case.needs == "h5py" else with_system_mpi)(mpi, folder / "tools")


def built(case: Case, environment: Environment, folder: Path) -> Path:
    """A copy of the programs, compiled if they have a compiled part."""
    place = folder / case.name
    shutil.copytree(PROGRAMS / case.name, place)
    words = {"cython": [sys.executable, "-m", "cython"], "{include}": [f"-I{sysconfig.get_path('include')}"]}
    for command in filter(None, case.build.split("&&")):
        full = [part for word in command.split() for part in words.get(word, [word])]
        subprocess.run(full, cwd=place, env=environment.variables(), check=True, capture_output=True, timeout=SECONDS)
    return place


def job(case: Case, command: tuple[str, ...], environment: Environment, place: Path) -> Result:
    """Run one of the two programs in its folder."""
    words = [environment.python if word == "python" else word for word in command]
    first = [str(environment.script("jaxmpi-sanitize")), "run"] if case.is_compiled else []
    inside = ["sh", "-c", 'cd "$0" && exec "$@"', str(place), *first, *words]
    return run(environment, inside, case.ranks, seconds=SECONDS)


def marked(place: Path) -> set[tuple[str, int]]:
    """The lines to change."""
    return {
        (str(path), number)
        for pattern in SOURCES
        for path in place.rglob(pattern)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if line.endswith(MARKS)
    }


def first_frames(finding: Finding) -> set[tuple[str, int]]:
    """The first frames that a report shows of each side.

    That is where it parted from the others at an earlier collective, the line that the report begins with, that of an
    exception which it handles, and others.
    """
    found: set[tuple[str, int]] = set()
    for location in finding.raw["locations"]:
        path = [(frame["file"], frame["line"]) for frame in (location, *location["callers"])]
        at = location["begins_with"]
        parted, exception = (
            [(frame["file"], frame["line"])] if frame else [] for frame in (location["diverged"], location["handles"])
        )
        found |= set([*parted, path[at], *exception, *path[at + 1 :], *reversed(path[:at])][:SHOWN])
    return found
