"""Findings kept between runs."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.findings.diagnostics import (
    Applicability,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Position,
    Related,
    Severity,
)
from jaxmpi_lint.settings.settings import Settings

IDLE = "from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()  # noqa: JM002\n"
CLEAN = "from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()\n"


def engine(root: Path, **settings: object) -> Engine:
    return Engine(Request(Settings(root=root, **settings), (root,), str(root)))  # type: ignore[arg-type]


def from_cache(outcome: Outcome) -> bool:
    return any("taken from the cache" in note for note in outcome.notes)


def codes(outcome: Outcome) -> list[str]:
    return [diagnostic.code for diagnostic in outcome.diagnostics]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "b.py").write_text("import a\n")
    old = time.time() - 60
    for name in ("a.py", "b.py"):
        os.utime(tmp_path / name, (old, old))
    return tmp_path


def test_a_second_run_takes_the_same_findings_from_the_cache(project: Path) -> None:
    first, second = engine(project).lint(), engine(project).lint()
    assert not from_cache(first)
    assert from_cache(second)
    assert first.diagnostics == second.diagnostics
    assert (first.files, first.communicating, first.rules) == (second.files, second.communicating, second.rules)
    assert codes(first) == ["JM003"]


def test_a_changed_file_is_seen(project: Path) -> None:
    engine(project).lint()
    (project / "a.py").write_text(CLEAN)
    assert codes(engine(project).lint()) == []


def test_a_change_that_keeps_time_and_size_is_seen_if_the_file_is_as_young_as_the_cache(project: Path) -> None:
    path = project / "a.py"
    path.write_text(IDLE)
    before = path.stat()
    assert codes(engine(project).lint()) == ["JM003"]
    path.write_text(IDLE.replace("noqa: JM002", "just a word"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert codes(engine(project).lint()) == []


@pytest.mark.parametrize("change", ["new", "gone", "link"])
def test_another_set_of_files_is_another_project(project: Path, change: str) -> None:
    engine(project).lint()
    if change == "new":
        (project / "mpi4py.py").touch()
    elif change == "gone":
        (project / "b.py").unlink()
    else:
        (project / "c.py").symlink_to(project / "nowhere.py")
    assert not from_cache(engine(project).lint())


def test_other_settings_have_an_outcome_of_their_own(project: Path) -> None:
    engine(project).lint()
    assert not from_cache(engine(project, ignore=("JM003",)).lint())
    assert not from_cache(engine(project, targets={"jax": (0, 4)}).lint())
    assert from_cache(engine(project).lint())


def test_settings_that_only_choose_what_is_shown_share_an_outcome(project: Path) -> None:
    engine(project).lint()
    assert from_cache(engine(project, min_severity=Severity.ERROR, output_format="json").lint())


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"written": 1}', b"\xff", b"null", b"[" * 100_000])
def test_a_damaged_file_counts_as_absent(project: Path, damage: bytes) -> None:
    engine(project).lint()
    for path in (project / ".jaxmpi_lint_cache").glob("*.json"):
        path.write_bytes(damage)
    assert codes(engine(project).lint()) == ["JM003"]


@pytest.mark.parametrize("key", ["files", "outcome", "plugins", "written"])
def test_a_file_with_a_part_of_another_kind_counts_as_absent(project: Path, key: str) -> None:
    engine(project).lint()
    (path,) = (project / ".jaxmpi_lint_cache").glob("*.json")
    document = json.loads(path.read_text())
    document[key] = {"odd": [1]}
    path.write_text(json.dumps(document))
    assert codes(engine(project).lint()) == ["JM003"]


def test_a_folder_that_cannot_be_made_is_not_used(project: Path) -> None:
    (project / "file").touch()
    outcome = engine(project, cache_dir=project / "file" / "cache").lint()
    assert codes(outcome) == ["JM003"]
    assert any("cannot be written" in note for note in outcome.notes)


def test_the_folder_keeps_itself_out_of_git(project: Path) -> None:
    engine(project).lint()
    assert "*" in (project / ".jaxmpi_lint_cache" / ".gitignore").read_text().splitlines()


def test_no_cache_leaves_no_trace(project: Path) -> None:
    engine(project, no_cache=True).lint()
    assert not (project / ".jaxmpi_lint_cache").exists()


def test_a_finding_with_all_its_parts_survives(project: Path) -> None:
    from jaxmpi_lint.engine import result_cache
    from jaxmpi_lint.findings.model import RuleInfo, Suppressed

    edit = Edit(Position(1, 2), Position(3, 4), "x\u2028")
    diagnostic = Diagnostic(
        code="JM101",
        name="name",
        severity=Severity.ERROR,
        confidence=Confidence.LOW,
        message="message",
        filename="a.ipynb",
        start=Position(1, 2),
        end=Position(3, 4),
        cell=2,
        rows=(1, 3),
        related=(Related("b.py", Position(5, 6), "step", None),),
        remedy="do",
        fix=Fix(Applicability.UNSAFE, "fix", (edit,)),
    )
    rule = RuleInfo("JM101", "name", Severity.ERROR, "summary", "page", True, Applicability.SAFE)
    outcome = Outcome(
        (diagnostic,), (Suppressed(diagnostic, "why"),), {"a.ipynb": "/a.ipynb"}, (rule,), 1, 2, 3, ("w",), ("n",)
    )
    stored = result_cache.Cache(project / "kept", "key")
    assert stored.store({}, {}, outcome)
    assert stored.load({}) == outcome
