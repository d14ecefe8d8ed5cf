"""Parsed files kept between runs."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from jaxmpi_lint.engine import parser_pool
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.ir_cache import ParsedStore
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.settings.settings import Settings

GUARDED = "from helpers import meet\nfrom mpi4py import MPI\n\nif MPI.COMM_WORLD.rank == 0:\n    meet()\n"
HELPERS = "from mpi4py import MPI\n\n\ndef meet():\n    MPI.COMM_WORLD.Barrier()\n"


def lint(root: Path, **settings: object) -> Outcome:
    return Engine(Request(Settings(root=root, **settings), (root,), str(root))).lint()  # type: ignore[arg-type]


def codes(outcome: Outcome) -> list[str]:
    return [diagnostic.code for diagnostic in outcome.diagnostics]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "main.py").write_text(GUARDED)
    (tmp_path / "helpers.py").write_text(HELPERS)
    return tmp_path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are parsed."""
    names: list[str] = []
    original = parser_pool.parse_one

    def noting(job: parser_pool.Job, *rest: object) -> parser_pool.Result:
        names.append(os.path.basename(job.path))
        return original(job, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(parser_pool, "parse_one", noting)
    return names


def stored(project: Path) -> list[Path]:
    return [path for path in project.glob(".jaxmpi_lint_cache/parsed-*/*") if path.is_file()]


def test_after_an_edit_only_the_changed_file_is_parsed(project: Path, parsed: list[str]) -> None:
    before = lint(project)
    assert sorted(parsed) == ["helpers.py", "main.py"]
    parsed.clear()
    (project / "main.py").write_text("# edited\n" + GUARDED)
    after = lint(project)
    assert parsed == ["main.py"]
    assert codes(before) == codes(after) == ["JM101"]
    assert after.diagnostics[0].start.row == before.diagnostics[0].start.row + 1
    assert after.diagnostics[0].related[-1].message == before.diagnostics[0].related[-1].message


def test_what_an_edit_repairs_elsewhere_is_seen(project: Path) -> None:
    assert codes(lint(project)) == ["JM101"]
    (project / "helpers.py").write_text(HELPERS.replace("MPI.COMM_WORLD.Barrier()", "print(MPI.COMM_WORLD.size)"))
    assert codes(lint(project)) == []


def test_a_file_that_is_given_another_name_is_parsed_anew(project: Path, parsed: list[str]) -> None:
    lint(project)
    parsed.clear()
    (project / "helpers.py").rename(project / "aids.py")
    (project / "main.py").write_text(GUARDED.replace("helpers", "aids"))
    assert codes(lint(project)) == ["JM101"]
    assert sorted(parsed) == ["aids.py", "main.py"]


@pytest.mark.parametrize("damage", [b"", b"short", b"\x80\x05\x95garbage", None])
def test_a_damaged_file_counts_as_absent(project: Path, parsed: list[str], damage: bytes | None) -> None:
    lint(project)
    for path in stored(project):
        path.write_bytes(path.read_bytes()[:40] if damage is None else path.read_bytes()[:16] + damage)
    parsed.clear()
    (project / "main.py").write_text("\n" + GUARDED)
    assert codes(lint(project)) == ["JM101"]
    assert sorted(parsed) == ["helpers.py", "main.py"]


class _Runs:
    """What a hostile project could put into its cache."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.trace),)


def test_what_a_project_brings_as_a_cache_is_not_run(project: Path, tmp_path: Path) -> None:
    lint(project)
    trace = tmp_path / "ran"
    for path in stored(project):
        path.write_bytes(path.read_bytes()[:16] + pickle.dumps(_Runs(trace)))
    (project / "main.py").write_text("\n" + GUARDED)
    assert codes(lint(project)) == ["JM101"]
    assert not trace.exists()


def test_a_folder_that_cannot_be_made_keeps_nothing(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = ParsedStore(tmp_path / "file" / "cache", "environment")
    store.save("a.py", "a", False, b"", b"")
    assert store.load("a.py", "a", False, b"", "") is None


def test_without_the_cache_nothing_is_kept(project: Path) -> None:
    lint(project, no_cache=True)
    assert stored(project) == []


def test_folders_of_other_releases_are_removed(project: Path) -> None:
    cache = project / ".jaxmpi_lint_cache"
    for index in range(4):
        folder = cache / f"parsed-other{index}"
        folder.mkdir(parents=True)
        os.utime(folder, (index, index))
    lint(project)
    kept = {path.name for path in cache.glob("parsed-other*")}
    assert kept == {"parsed-other2", "parsed-other3"}
    assert stored(project)
