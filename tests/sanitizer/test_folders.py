"""Folders with results: their names sort by time, their ledger is small, and an option limits how many remain."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.runtime.ledger import folders

NAMES = [folders.name("pmix:prterun-node1-7@1", 1e9 + 90 * number) for number in range(5)]


def made(place: Path, name: str, *files: str) -> Path:
    folder = place / name
    folder.mkdir()
    for file in files or (folders.REPORT, folders.FINDINGS, folders.LEDGER):
        (folder / file).write_text("x")
    return folder


def test_names_sort_by_the_start_of_the_job() -> None:
    assert sorted(NAMES) == NAMES
    assert NAMES[0].endswith(".pmix-prterun-node1-7-1")
    assert folders.name("", 1e9).endswith(".job")


def test_a_ledger_is_stored_without_its_empty_parts(tmp_path: Path) -> None:
    with (tmp_path / folders.PLAIN).open("wb") as file:
        file.write(b"begin")
        file.truncate(16 << 20)
        file.seek(-3, 2)
        file.write(b"end")
    content = (tmp_path / folders.PLAIN).read_bytes()
    folders.pack(tmp_path)
    stored = tmp_path / folders.LEDGER
    assert [path.name for path in tmp_path.iterdir()] == [folders.LEDGER]
    assert stored.stat().st_size < 1 << 17
    assert stored.stat().st_mode & 0o077 == 0
    with folders.unpacked(folders.ledger(tmp_path)) as plain:
        assert plain.read_bytes() == content
    assert not plain.exists()


def test_a_ledger_of_an_earlier_version_is_not_compressed(tmp_path: Path) -> None:
    (tmp_path / folders.PLAIN).write_text("x")
    with folders.unpacked(folders.ledger(tmp_path)) as plain:
        assert plain == tmp_path / folders.PLAIN


def test_a_damaged_ledger_is_one_error(tmp_path: Path) -> None:
    (tmp_path / folders.LEDGER).write_bytes(b"no gzip")
    with pytest.raises(RuntimeError, match="ledger"), folders.unpacked(tmp_path / folders.LEDGER):
        pass


def test_without_a_ledger_nothing_is_compressed(tmp_path: Path) -> None:
    folders.pack(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("keep", "left"), [(0, NAMES), (1, NAMES[-1:]), (3, NAMES[-3:]), (9, NAMES)])
def test_the_newest_folders_remain(tmp_path: Path, keep: int, left: list[str]) -> None:
    for name in NAMES:
        made(tmp_path, name)
    folders.prune(tmp_path / NAMES[-1], keep)
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_only_the_sanitizers_own_folders_are_removed(tmp_path: Path) -> None:
    strange = made(tmp_path, NAMES[0], folders.REPORT, "thesis.tex")
    other = made(tmp_path, "jaxmpi-sanitize.mine")
    target = made(tmp_path, "elsewhere")
    (tmp_path / NAMES[1]).symlink_to(target)
    own = made(tmp_path, NAMES[2])
    newest = made(tmp_path, NAMES[3])
    folders.prune(newest, 1)
    assert not own.exists()
    assert all(one.is_dir() and any(one.iterdir()) for one in (strange, other, target, newest))
    folders.prune(other, 1)  # not one of these names: given by `log_dir`
    assert newest.exists()
