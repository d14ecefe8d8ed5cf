"""The benchmark of defects and the commits that mended them, on clones of a few lines."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from places import BENCHMARKS

pytestmark = pytest.mark.jobs

IMPORTS = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\n"
WRONG = f"{IMPORTS}if comm.rank == 0:\n    comm.Barrier()\n"
RIGHT = f"{IMPORTS}comm.Barrier()\n"


def git(clone: Path, *arguments: str) -> str:
    command = ["git", "-C", str(clone), "-c", "user.name=someone", "-c", "user.email=someone@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A project whose last commit mends a defect in `program.py`."""
    folder = tmp_path / "clones" / "owner__project"
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    for text in (WRONG, RIGHT):
        (folder / "program.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", "change")
    return folder


def bug(name: str, commit: str, code: str = "JM101", missed: str = "") -> dict[str, object]:
    return {
        "name": name, "repository": "owner__project", "commit": commit, "what": "a barrier of one rank",
        "codes": [code], "files": ["program.py"], "missed": missed,
    }  # fmt: skip


def judged(tmp_path: Path, *bugs: dict[str, object]) -> subprocess.CompletedProcess[str]:
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps(bugs))
    command = [sys.executable, str(BENCHMARKS / "history.py"), str(tmp_path / "clones"), "--rows", str(rows)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_defect_is_found_before_its_commit_and_gone_after_it(tmp_path: Path, clone: Path) -> None:
    done = judged(tmp_path, bug("tiny", git(clone, "rev-parse", "HEAD")))
    assert "1 before, 0 after: a barrier of one rank" in done.stdout, done.stderr
    assert "program.py:5 JM101 only rank 0 reaches this `Barrier`" in done.stdout
    assert "1 defects, 1 found; not as expected: none" in done.stdout
    assert done.returncode == 0


def test_print_statements_are_converted_where_a_row_says_so(tmp_path: Path, clone: Path) -> None:
    for text in (WRONG, RIGHT):
        (clone / "program.py").write_text(f'{text}print "rank", comm.rank\nif comm: print >>log, "done"\n')
        git(clone, "commit", "--quiet", "-am", "print")
    commit = git(clone, "rev-parse", "HEAD")
    done = judged(tmp_path, {**bug("tiny", commit), "python2": True}, bug("unread", commit, missed="Python 2"))
    assert "1 before, 0 after: a barrier of one rank" in done.stdout, done.stderr
    assert "2 defects, 1 found; not as expected: none" in done.stdout


def test_a_missed_defect_needs_a_reason(tmp_path: Path, clone: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD")
    done = judged(
        tmp_path,
        bug("without", commit, "JM999"),
        bug("with", commit, "JM999", "not looked at"),
        bug("found", commit, missed="found in fact"),
    )
    assert "not as expected: without, found" in done.stdout, done.stderr
    assert "missed: not looked at" in done.stdout
    assert done.returncode == 1


def test_what_is_missing_is_named(tmp_path: Path, clone: Path) -> None:
    done = judged(tmp_path, bug("commit", "0" * 40), {**bug("clone", "HEAD"), "repository": "owner__other"})
    assert "git archive of" in done.stdout, done.stderr
    assert f"no clone at {clone.parent / 'owner__other'}" in done.stdout
    assert done.returncode == 1


def mined(tmp_path: Path, *rows: str) -> subprocess.CompletedProcess[str]:
    table = tmp_path / "rows.csv"
    table.write_text("\n".join(["name,repository,commit,file,lines,class,what,text_alone,expected,fixed", *rows]))
    command = [sys.executable, str(BENCHMARKS / "history.py"), str(tmp_path / "clones"), "--rows", str(table)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_labelled_defect_is_found_by_its_place(tmp_path: Path, clone: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD")
    done = mined(
        tmp_path,
        f"near,owner/project,{commit},program.py,4-5,divergent,a barrier of one rank,yes,,yes",
        f"far,owner/project,{commit},program.py,40,lost,another place,no,,yes",
        f"else,owner/project,{commit},other.py,5,lost,another file,yes,,yes",
    )
    assert "JM101, gone after: a barrier of one rank" in done.stdout, done.stderr
    assert "1 of 3 found before their commits; of those that the text alone can tell 1 of 2; gone" in done.stdout
    assert "divergent 1 of 1, lost 0 of 2" in done.stdout
    assert done.returncode == 0


def test_a_labelled_defect_without_a_clone_is_named(tmp_path: Path, clone: Path) -> None:
    done = mined(tmp_path, "gone,owner/other,HEAD,program.py,5,lost,a defect,yes,,yes")
    assert "not judged: gone" in done.stdout, done.stderr
    assert done.returncode == 1


def test_the_labelled_rows_are_complete() -> None:
    rows = list(csv.DictReader((BENCHMARKS / "mined_history.csv").open(encoding="utf-8", newline="")))
    assert len({row["name"] for row in rows}) == len(rows) >= 60
    assert len({row["repository"] for row in rows}) >= 25
    assert all(row["file"] and row["lines"] and row["what"] for row in rows)


def test_the_rows_are_complete() -> None:
    rows = json.loads((BENCHMARKS / "history.json").read_text(encoding="utf-8"))
    assert len({row["name"] for row in rows}) == len(rows) > 5
    assert all(row["codes"] and row["files"] and row["what"] for row in rows)
