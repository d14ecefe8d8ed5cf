"""Which files are read around a named file that no project file bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.command import cli
from jaxmpi_lint.sources import discovery
from jaxmpi_lint.sources.surroundings import surroundings


def write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def crowd(root: Path) -> None:
    """More files than a program has, in folders of their own."""
    for number in range(discovery.MOST_FILES + 1):
        write(root, **{f"other{number % 7}__m{number}": "x = 1\n"})


def read(root: Path, *given: Path, contents: dict[str, bytes] | None = None) -> tuple[list[str], bool]:
    tree, cut = surroundings(root, given, (), contents or {})
    return sorted(Path(path).relative_to(root).as_posix() for path in tree.files), cut


def test_a_small_folder_is_read_whole_but_for_repositories_in_it(tmp_path: Path) -> None:
    write(tmp_path, a="", b="", sub__c="", checkout__d="")
    (tmp_path / "checkout" / ".git").mkdir()
    assert read(tmp_path, tmp_path / "a.py") == (["a.py", "b.py", "sub/c.py"], False)


def test_of_a_large_folder_only_what_is_imported_is_read(tmp_path: Path) -> None:
    crowd(tmp_path)
    write(tmp_path, a="import b\nimport numpy\n", b="from tools.io import f\n", tools__io="import a\n", apart="")
    assert read(tmp_path, tmp_path / "a.py") == (["a.py", "b.py", "tools/io.py"], True)


def test_many_files_beside_the_named_one_are_a_large_folder_too(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{number}": "" for number in range(discovery.MOST_FILES + 1)})
    assert read(tmp_path, tmp_path / "m7.py") == (["m7.py"], True)


def test_a_repository_or_a_crowd_of_the_imported_name_is_not_read(tmp_path: Path) -> None:
    crowd(tmp_path)
    crowd(tmp_path / "data")
    write(tmp_path, a="import jax\nimport data\nfrom . import near\n", jax__config="", near="")
    (tmp_path / "jax" / ".git").mkdir()
    assert read(tmp_path, tmp_path / "a.py") == (["a.py", "near.py"], True)


def test_standard_input_imports_as_well(tmp_path: Path) -> None:
    crowd(tmp_path)
    write(tmp_path, b="")
    path = tmp_path / "typed.py"
    assert read(tmp_path, path, contents={str(path): b"import b\n"}) == (["b.py"], True)


@pytest.mark.parametrize("marker", ["pyproject.toml", ".git", "__init__.py"])
def test_a_project_and_a_package_are_read_whole(tmp_path: Path, marker: str) -> None:
    crowd(tmp_path)
    write(tmp_path, a="")
    (tmp_path / marker).write_text("")
    found, cut = read(tmp_path, tmp_path / "a.py")
    assert len(found) > discovery.MOST_FILES
    assert not cut


def test_a_folder_that_is_given_is_read_whole(tmp_path: Path) -> None:
    crowd(tmp_path)
    found, cut = read(tmp_path, tmp_path)
    assert len(found) == discovery.MOST_FILES + 1
    assert not cut


def test_the_user_learns_that_files_are_left_unread(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(tmp_path)
    write(tmp_path, a="from b import comm\nif comm.rank == 0:\n    comm.Barrier()\n")
    write(tmp_path, b="from mpi4py import MPI\ncomm = MPI.COMM_WORLD\n")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["a.py", "--no-cache"]) == 1
    printed = capsys.readouterr()
    assert "a.py:3:5: error[JM101]" in printed.out
    assert "only what the given files import is read; give the folder to read all of it" in printed.err
