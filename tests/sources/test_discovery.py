"""Which files are read, and where a project ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.sources import discovery


def write(root: Path, *names: str, **texts: str) -> None:
    for name in (*names, *texts):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts.get(name, ""), encoding="utf-8")


def found(root: Path, *exclude: str) -> list[str]:
    return sorted(Path(path).relative_to(root).as_posix() for path in discovery.discover(root, exclude).files)


def test_python_files_and_notebooks_are_found_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "pkg/b.py", "book.ipynb", "notes.txt", "c.pyc", "stub.pyi")
    assert found(tmp_path) == ["a.py", "book.ipynb", "pkg/b.py"]


def test_commands_without_a_suffix_are_found_by_their_first_line(tmp_path: Path) -> None:
    lines = {"solve": "#!/usr/bin/env python3", "plot": "#! /opt/conda/bin/python -u", "run": "#!/bin/sh", "data": ""}
    for name, line in (*lines.items(), ("notes", "#!/usr/bin/python")):
        (tmp_path / name).write_text(f"{line}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o644 if name == "notes" else 0o755)
    (tmp_path / "link").symlink_to(tmp_path / "solve")
    assert found(tmp_path) == ["plot", "solve"]


def test_installed_packages_and_tool_folders_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "env/pyvenv.cfg", "env/lib/x.py", ".venv/y.py", "lib/site-packages/z.py", ".git/hook.py")
    assert found(tmp_path) == ["a.py"]


def test_gitignore_holds_below_its_folder_and_the_deeper_one_wins(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "gen/a.py", "gen/keep.py", "gen/sub/b.py", "other/gen.py")
    (tmp_path / ".gitignore").write_text("a.py\n/other/\n")
    (tmp_path / "gen" / ".gitignore").write_text("!a.py\nsub/\n")
    assert found(tmp_path) == ["gen/a.py", "gen/keep.py"]


def test_a_file_below_an_ignored_folder_cannot_be_taken_back(tmp_path: Path) -> None:
    write(tmp_path, "out/a.py", "b.py")
    (tmp_path / ".gitignore").write_text("out/\n!out/a.py\n")
    assert found(tmp_path) == ["b.py"]


def test_gitignore_of_the_repository_around_the_project_counts(tmp_path: Path) -> None:
    write(tmp_path, "sub/project/a.py", "sub/project/gen_a.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen_*.py\n")
    assert found(tmp_path / "sub" / "project") == ["a.py"]


def test_exclude_takes_out_files_and_folders(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "third_party/b.py", "deep/old_c.py")
    assert found(tmp_path, "third_party", "old_*.py") == ["a.py"]


def test_excluded_speaks_of_a_path_below_an_excluded_folder(tmp_path: Path) -> None:
    path = str(tmp_path / "third_party" / "deep" / "a.py")
    assert discovery.excluded(tmp_path, path, ["third_party/"])
    assert not discovery.excluded(tmp_path, path, ["a.txt"])


def test_a_cycle_of_links_ends(tmp_path: Path) -> None:
    write(tmp_path, "pkg/a.py")
    (tmp_path / "pkg" / "loop").symlink_to(tmp_path)
    (tmp_path / "pkg" / "self").symlink_to(tmp_path / "pkg")
    assert found(tmp_path) == ["pkg/a.py"]


def test_a_file_that_two_paths_lead_to_is_read_once_under_its_own(tmp_path: Path) -> None:
    write(tmp_path, "z.py")
    (tmp_path / "a.py").symlink_to(tmp_path / "z.py")
    assert found(tmp_path) == ["z.py"]


def test_a_link_out_of_the_project_is_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside/b.py", "project/a.py")
    (tmp_path / "project" / "linked").symlink_to(tmp_path / "outside")
    assert found(tmp_path / "project") == ["a.py", "linked/b.py"]


def test_a_broken_link_is_kept_as_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "b.py").symlink_to(tmp_path / "b.py")
    problems = [entry.problem for entry in discovery.discover(tmp_path).files.values()]
    assert problems == ["broken symbolic link", "symbolic link that cannot be resolved"]


@pytest.mark.parametrize("marker", ["pyproject.toml", ".git/config"])
def test_the_project_is_the_nearest_folder_with_a_marker(tmp_path: Path, marker: str) -> None:
    write(tmp_path, marker, "src/pkg/a.py")
    assert discovery.project_root(tmp_path / "src" / "pkg" / "a.py") == tmp_path
    assert discovery.project_root(tmp_path / "src") == tmp_path


def test_without_marker_the_project_is_the_outermost_package(tmp_path: Path) -> None:
    write(tmp_path, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "script.py")
    assert discovery.project_root(tmp_path / "pkg" / "sub" / "a.py") == tmp_path / "pkg"
    assert discovery.project_root(tmp_path / "script.py") == tmp_path


def test_a_path_that_is_not_there_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nothing\.py: no such file or folder"):
        discovery.existing(str(tmp_path / "nothing.py"))
    (tmp_path / "link.py").symlink_to(tmp_path / "nothing.py")
    with pytest.raises(UserError, match=r"link\.py: broken symbolic link"):
        discovery.existing(str(tmp_path / "link.py"))


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "closed/a.py", "b.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    tree = discovery.discover(tmp_path)
    assert tree.unlisted == {str(tmp_path / "closed"): "Permission denied"}
    assert list(tree.files) == [str(tmp_path / "b.py")]
