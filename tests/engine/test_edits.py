"""After an edit a run with what was kept finds exactly what a run from nothing finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import IDIOMS

from jaxmpi_lint.analysis.frontend import parse
from jaxmpi_lint.command.cli import main
from jaxmpi_lint.engine import ir_cache

FILES = {
    "pyproject.toml": "",
    "main.py": """\
from mpi4py import MPI

from helpers import meet

comm = MPI.COMM_WORLD
if comm.rank == 0:
    meet(comm)
""",
    "helpers.py": """\
def meet(comm):
    comm.Barrier()
""",
    "parts.py": """\
from mpi4py import MPI

from roles import WHO

if WHO == 0:
    MPI.COMM_WORLD.Barrier()
""",
    "roles.py": "from mpi4py import MPI\n\nWHO = MPI.COMM_WORLD.rank\n",
    "base.py": """\
class Base:
    def __init__(self, comm):
        self.comm = comm
        self.leads = comm.rank == 0
""",
    "team.py": """\
from base import Base


class Team(Base):
    def run(self):
        if self.leads:
            self.comm.Barrier()
""",
}
FOUND = ["main.py:7", "parts.py:6", "team.py:7"]


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    assert old in FILES[name]
    return lambda root: write(root, name, FILES[name].replace(old, new))


EDITS: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "a comment before everything": (
        lambda root: write(root, "main.py", "# a comment\n\n" + FILES["main.py"]),
        ["main.py:9", "parts.py:6", "team.py:7"],
    ),
    "a comment in a file that others use": (
        lambda root: write(root, "base.py", "# a comment\n" + FILES["base.py"]),
        FOUND,
    ),
    "another signature": (
        replaced("helpers.py", "def meet(comm):\n    comm", "def meet(other, comm=None):\n    pass  # comm"),
        ["parts.py:6", "team.py:7"],
    ),
    "another constant in another file": (
        replaced("roles.py", "MPI.COMM_WORLD.rank", "0"),
        ["main.py:7", "team.py:7"],
    ),
    "another field in another file": (
        replaced("base.py", "comm.rank == 0", "comm.size > 1"),
        ["main.py:7", "parts.py:6"],
    ),
    "a negated test": (replaced("main.py", "comm.rank == 0", "comm.size != 0"), ["parts.py:6", "team.py:7"]),
    "a deleted statement": (replaced("team.py", "self.comm.Barrier()", "pass"), ["main.py:7", "parts.py:6"]),
    "a function renamed where it is defined": (
        replaced("helpers.py", "def meet", "def gather_all"),
        ["parts.py:6", "team.py:7"],
    ),
    "a statement that communicates before": (
        replaced("main.py", "comm = ", "MPI.COMM_WORLD.Barrier()\ncomm = "),
        ["main.py:8", "parts.py:6", "team.py:7"],
    ),
    "a package that hides an imported file": (
        lambda root: write(root, "helpers/__init__.py", "def meet(comm):\n    print(comm.size)\n"),
        ["parts.py:6", "team.py:7"],
    ),
    "a file that is gone": (lambda root: (root / "helpers.py").unlink(), ["parts.py:6", "team.py:7"]),
    "another setting": (
        lambda root: write(root, "pyproject.toml", '[tool.jaxmpi-lint]\nexclude = ["roles.py"]\n'),
        ["main.py:7", "team.py:7"],
    ),
    "a value declared to be uniform in another file": (
        replaced("roles.py", "COMM_WORLD.rank", "COMM_WORLD.rank  # jaxmpi-lint: uniform"),
        ["main.py:7", "team.py:7"],
    ),
    "a file that is no Python any more": (
        lambda root: write(root, "roles.py", "from mpi4py import MPI\n\nWHO = = MPI.COMM_WORLD.rank\n"),
        ["main.py:7", "roles.py:3", "team.py:7"],
    ),
}


def lint(root: Path, report: Path, *options: str) -> list[dict[str, Any]]:
    """The findings as the JSON report has them."""
    main([str(root), "--output-format", "json", "--output-file", str(report), "--jobs", "1", "--quiet", *options])
    findings: list[dict[str, Any]] = json.loads(report.read_text())
    return findings


def places(findings: list[dict[str, Any]]) -> list[str]:
    return sorted(f"{Path(item['filename']).name}:{item['location']['row']}" for item in findings)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        write(root, name, text)
    return root


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_leaves_nothing_stale(project: Path, tmp_path: Path, edit: str) -> None:
    change, expected = EDITS[edit]
    assert places(lint(project, tmp_path / "before.json")) == FOUND
    change(project)
    after = lint(project, tmp_path / "after.json")
    assert places(after) == expected
    assert after == lint(project, tmp_path / "cold.json", "--no-cache")


def test_edits_one_after_another_leave_nothing_stale(project: Path, tmp_path: Path) -> None:
    for change, _ in EDITS.values():
        change(project)
        assert lint(project, tmp_path / "after.json") == lint(project, tmp_path / "cold.json", "--no-cache")


@pytest.mark.parametrize("path", sorted(IDIOMS.rglob("*.py")), ids=lambda path: path.stem)
def test_what_is_kept_of_a_file_is_what_was_parsed(path: Path) -> None:
    text = path.read_text()
    module = parse.parse(str(path), path.stem, False, text, ()).module
    assert ir_cache.restore(ir_cache.dump(module), text) == module
