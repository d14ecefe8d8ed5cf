"""What the prefilter said of files, kept between runs."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from jaxmpi_lint.engine import result_cache
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.ir_cache import ParsedStore
from jaxmpi_lint.engine.prefilter_cache import KeptVerdicts
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.files import digest
from jaxmpi_lint.sources.prefilter import Prefilter

GUARDED = "from mpi4py import MPI\n\nif MPI.COMM_WORLD.rank == 0:\n    MPI.COMM_WORLD.Barrier()\n"
SILENT = "def add(a, b):\n    return a + b\n"
OWN_WORDS = "if ruler == 0:\n    universe.Barrier()\n"
FOUND = [("JM101", "main.py", 4)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "main.py").write_text(GUARDED)
    (tmp_path / "sums.py").write_text(SILENT)
    return tmp_path


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the prefilter searches."""
    texts: list[str] = []
    original = Prefilter.file_may_communicate

    def noting(self: Prefilter, data: bytes) -> bool:
        texts.append(data.decode())
        return original(self, data)

    monkeypatch.setattr(Prefilter, "file_may_communicate", noting)
    return texts


def found(root: Path, **settings: object) -> list[tuple[str, str, int]]:
    request = Request(Settings(root=root, **settings), (root,), str(root))  # type: ignore[arg-type]
    return [(item.code, item.filename, item.start.row) for item in Engine(request).lint().diagnostics]


def kept(root: Path) -> list[Path]:
    return list(root.glob(".jaxmpi_lint_cache/parsed-*/prefilter-*.json"))


def edit(root: Path) -> None:
    """An edit of one file, so that the findings are not taken from the cache."""
    (root / "sums.py").write_text(f"# {(root / 'sums.py').stat().st_mtime_ns}\n{SILENT}")


def test_after_an_edit_only_the_changed_file_is_searched(project: Path, searched: list[str]) -> None:
    assert found(project) == FOUND
    assert sorted(searched) == [SILENT, GUARDED]
    searched.clear()
    (project / "sums.py").write_text(f"# edited\n{SILENT}")
    assert found(project) == FOUND
    assert searched == [f"# edited\n{SILENT}"]


def test_a_file_that_begins_to_communicate_is_seen(project: Path) -> None:
    found(project)
    (project / "sums.py").write_text(GUARDED)
    assert found(project) == [*FOUND, ("JM101", "sums.py", 4)]
    (project / "main.py").write_text(SILENT)
    assert found(project) == [("JM101", "sums.py", 4)]


def test_a_file_that_gets_the_content_of_another_needs_no_search(project: Path, searched: list[str]) -> None:
    found(project)
    searched.clear()
    (project / "sums.py").write_text(GUARDED)
    assert found(project) == [*FOUND, ("JM101", "sums.py", 4)]
    assert searched == []


def test_other_words_of_the_project_have_verdicts_of_their_own(project: Path) -> None:
    (project / "own.py").write_text(OWN_WORDS)
    assert found(project) == FOUND
    own = {"rank_names": ("ruler",), "comm_names": ("universe",)}
    assert found(project, **own) == [*FOUND, ("JM101", "own.py", 2)]
    edit(project)
    assert found(project) == FOUND
    assert len(kept(project)) == 2


def test_another_release_searches_anew(project: Path, searched: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found(project)
    monkeypatch.setattr(result_cache, "environment", lambda: "another")
    edit(project)
    searched.clear()
    assert found(project) == FOUND
    assert GUARDED in searched


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"null", b"\xff", b'{"a": 1}', b"[" * 100_000])
def test_a_damaged_file_counts_as_absent(project: Path, searched: list[str], damage: bytes) -> None:
    found(project)
    for path in kept(project):
        path.write_bytes(damage)
    edit(project)
    searched.clear()
    assert found(project) == FOUND
    assert GUARDED in searched


def test_a_verdict_of_another_kind_counts_as_absent(project: Path, searched: list[str]) -> None:
    found(project)
    for path in kept(project):
        path.write_text(json.dumps(dict.fromkeys(json.loads(path.read_text()), 0)))
    edit(project)
    searched.clear()
    assert found(project) == FOUND
    assert GUARDED in searched


def test_what_cannot_be_written_is_not_kept(project: Path, searched: list[str]) -> None:
    found(project)
    for path in kept(project):
        path.unlink()
        path.mkdir()
    for _ in range(2):
        edit(project)
        searched.clear()
        assert found(project) == FOUND
        assert GUARDED in searched


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = ParsedStore(tmp_path / "file" / "cache", "environment")
    contents = {"a.py": GUARDED.encode(), "b.py": SILENT.encode()}
    verdicts = KeptVerdicts(Prefilter(Settings(root=tmp_path)), store, str(tmp_path))
    assert verdicts.choose(contents, {path: digest(data) for path, data in contents.items()}) == ["a.py"]


def test_without_the_cache_nothing_is_kept(project: Path) -> None:
    assert found(project, no_cache=True) == FOUND
    assert kept(project) == []


def test_a_notebook_and_a_program_with_the_same_bytes_are_told_apart(tmp_path: Path) -> None:
    data = b'f = jax.jit(g)\\nnames = {a, b}\\n"'
    contents = {"a.py": data, "a.ipynb": data}
    store = ParsedStore(tmp_path, "environment")
    for _ in range(2):
        verdicts = KeptVerdicts(Prefilter(Settings(root=tmp_path)), store, str(tmp_path))
        assert verdicts.choose(contents, dict.fromkeys(contents, digest(data))) == ["a.ipynb"]


def test_runs_at_the_same_time_leave_a_whole_file(tmp_path: Path) -> None:
    store = ParsedStore(tmp_path, "environment")
    prefilter = Prefilter(Settings(root=tmp_path))
    chosen: list[list[str]] = []

    def run(number: int) -> None:
        for turn in range(20):
            contents = {"a.py": GUARDED.encode(), "b.py": f"# {number} {turn}\n{SILENT}".encode()}
            digests = {path: digest(data) for path, data in contents.items()}
            chosen.append(KeptVerdicts(prefilter, store, str(tmp_path)).choose(contents, digests))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert chosen == [["a.py"]] * 80
    (path,) = store.folder.iterdir()
    assert sorted(json.loads(path.read_text()).values()) == [False, True]
