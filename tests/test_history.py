"""The benchmark of defects and the commits that mended them, on clones of a few lines."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
IMPORTS = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\n"
WRONG = f"{IMPORTS}if comm.rank == 0:\n    comm.Barrier()\n"
RIGHT = f"{IMPORTS}comm.Barrier()\n"


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("history")


def git(clone: Path, *arguments: str) -> str:
    command = ["git", "-C", str(clone), "-c", "user.name=someone", "-c", "user.email=someone@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A project whose last commit mends a defect in `program.py`."""
    folder = tmp_path / "owner__project"
    folder.mkdir()
    git(folder, "init", "--quiet")
    for text in (WRONG, RIGHT):
        (folder / "program.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", "change")
    return folder


def bug(history: ModuleType, commit: str, codes: tuple[str, ...] = ("JM101",), missed: str = "") -> object:
    return history.Bug("tiny", "owner__project", commit, "a barrier of one rank", codes, ("program.py",), missed)


def test_a_defect_is_found_before_its_commit_and_gone_after_it(history: ModuleType, clone: Path) -> None:
    judged = history.judge(bug(history, git(clone, "rev-parse", "HEAD")), clone.parent, 100)
    assert judged.failure == ""
    assert [finding.partition(" on ")[0] for finding in judged.before] == [
        "program.py:5 JM101 only rank 0 reaches this `Barrier`"
    ]
    assert judged.after == ()
    assert judged.as_expected


def test_a_missed_defect_needs_a_reason(history: ModuleType, clone: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD")
    assert not history.judge(bug(history, commit, ("JM999",)), clone.parent, 100).as_expected
    assert history.judge(bug(history, commit, ("JM999",), "not looked at"), clone.parent, 100).as_expected
    assert not history.judge(bug(history, commit, missed="found in fact"), clone.parent, 100).as_expected


def test_what_is_missing_is_named(history: ModuleType, clone: Path, tmp_path: Path) -> None:
    assert "git archive" in history.judge(bug(history, "0" * 40), clone.parent, 100).failure
    assert str(tmp_path / "elsewhere") in history.judge(bug(history, "0" * 40), tmp_path / "elsewhere", 100).failure


def test_the_rows_are_complete(history: ModuleType) -> None:
    rows = history.load(history.ROWS)
    assert len({row.name for row in rows}) == len(rows) > 5
    assert all(row.codes and row.files and row.what for row in rows)
