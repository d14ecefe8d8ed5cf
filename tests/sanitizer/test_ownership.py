"""Files belong to a library because of where the library is installed, not because of names in their paths."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from places import LIBRARIES

from jaxmpi_lint.runtime.settings import ownership
from jaxmpi_lint.runtime.settings.import_hook import Finder
from jaxmpi_lint.runtime.settings.ownership import is_library, is_part_of

from .cases import program
from .environments import Environment
from .harness import Result, run

FOLDERS = ("mpi4py", "site-packages-of-mine", "site-packages", "jax/_src", "lib/python3.11", "jaxmpi_lint/runtime")
WRONG = program("comm.Allreduce(small, space, op=MPI.MAX if rank == 1 else MPI.SUM)  # here")
RAISED = program("""
    import json
    if rank == 1:
        json.loads("nothing")  # here
    comm.Barrier()
    """)
HELPER = "def total(comm, values, space, op):\n    comm.Allreduce(values, space, op=op)\n\ndef fail():\n    {}['a']\n"
USER = program("import helper\nhelper.total(comm, small, space, MPI.MAX if rank == 1 else MPI.SUM)  # here")
FAILING_USER = program("""
    import helper
    if rank == 1:
        helper.fail()  # here
    comm.Barrier()
    """)


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Changes `sys.path` and `sys.modules`; the folders are found again before and after the test."""
    ownership.refresh()
    yield monkeypatch
    ownership.refresh()


def package(folder: Path, name: str) -> ModuleType:
    """An imported package of that name in the folder."""
    module = ModuleType(name)
    module.__file__, module.__path__ = str(folder / name / "__init__.py"), [str(folder / name)]
    return module


@pytest.mark.parametrize(
    ("file", "library"),
    [
        (json.__file__, True),
        (f"{LIBRARIES}/a_library/part.py", True),
        (ownership.__file__, True),
        ("<frozen runpy>", True),
        ("<shim>", True),
        ("app.py", False),
        ("<string>", False),
        (f"{LIBRARIES}-of-mine/app.py", False),
        ("/home/me/lib/python3.11/app.py", False),
        ("/home/me/site-packages/app.py", False),
        ("/home/me/mpi4py/app.py", False),
        ("/home/me/jaxmpi_lint/runtime/app.py", False),
    ],
)
def test_libraries_are_where_python_installs_them(file: str, library: bool) -> None:
    assert is_library(file) is library


@pytest.mark.parametrize(
    ("folder", "contents", "library"),
    [
        ("vendored", "a_library-1.0.dist-info", True),
        ("dist-packages", "a_library", True),
        ("site-packages", "a_library", True),
        ("site-packages-of-mine", "a_library", False),
        ("editable", "my_project.egg-info", False),
    ],
)
def test_folder_on_the_path(
    path: pytest.MonkeyPatch, tmp_path: Path, folder: str, contents: str, library: bool
) -> None:
    (tmp_path / folder / contents).mkdir(parents=True)
    path.syspath_prepend(tmp_path / folder)
    ownership.refresh()
    assert is_library(str(tmp_path / folder / "module.py")) is library
    assert not is_library(str(tmp_path / f"{folder}2" / "module.py"))


def test_links_and_relative_entries(path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "real" / "a-1.dist-info").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "beside").mkdir()
    path.chdir(tmp_path / "beside")
    path.setattr(sys, "path", ["../link", *sys.path])
    for name in ("link", "real", "beside/../link"):
        assert is_library(str(tmp_path / name / "module.py")), name


@pytest.mark.parametrize("started", ["script", "module"])
def test_folder_of_the_program_is_none_of_a_library(path: pytest.MonkeyPatch, tmp_path: Path, started: str) -> None:
    (tmp_path / "a-1.dist-info").mkdir()
    (tmp_path / "scripts").mkdir()
    main = ModuleType("__main__")
    main.__file__ = str(tmp_path / "scripts" / "app.py")
    main.__spec__ = None if started == "script" else spec_from_file_location("app", main.__file__)
    path.setitem(sys.modules, "__main__", main)
    path.chdir("/" if started == "script" else tmp_path)
    path.syspath_prepend(tmp_path)
    assert not is_library(main.__file__)


def test_parts_of_a_package(path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path.setitem(sys.modules, "jax", package(tmp_path, "jax"))
    parts = ("jax._src", "jax.experimental.multihost_utils", "contextlib")
    for name in ("jax/_src/api.py", "jax/_src/interpreters/ad.py", "jax/experimental/multihost_utils.py"):
        assert is_part_of(str(tmp_path / name), *parts), name
        assert is_library(str(tmp_path / name)), name
    for name in ("jax/_source/api.py", "jaxish/_src/api.py", "other/jax/_src/api.py", "jax/experimental/other.py"):
        assert not is_part_of(str(tmp_path / name), *parts), name
    assert not is_library(str(tmp_path / "jaxish" / "api.py"))


def test_package_that_is_imported_later(path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path.setattr(sys, "path", [])
    path.delitem(sys.modules, "mpi4jax", raising=False)
    file = str(tmp_path / "mpi4jax" / "_src" / "utils.py")
    assert not is_library(file)
    path.setitem(sys.modules, "mpi4jax", package(tmp_path, "mpi4jax"))
    ownership.refresh()
    assert is_library(file)


def test_package_that_is_not_imported_is_found_and_not_executed(path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(tmp_path / "mpi4jax" / "__init__.py", "raise SystemExit\n")
    path.delitem(sys.modules, "mpi4jax", raising=False)
    path.syspath_prepend(tmp_path)
    assert is_part_of(str(tmp_path / "mpi4jax" / "_src" / "utils.py"), "mpi4jax._src")
    assert "mpi4jax" not in sys.modules


def test_folder_without_an_init_is_not_the_package(path: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mpi4jax").mkdir()
    path.delitem(sys.modules, "mpi4jax", raising=False)
    path.setattr(sys, "path", [str(tmp_path)])
    assert not is_library(str(tmp_path / "mpi4jax" / "app.py"))


def test_finders_may_fail_and_the_hook_for_jax_is_not_asked(path: pytest.MonkeyPatch) -> None:
    class Broken:
        def find_spec(self, *_: object) -> None:
            raise RuntimeError

    hook = Finder(lambda module: None)
    path.setattr(sys, "path", [])
    path.setattr(sys, "meta_path", [hook, Broken()])
    path.delitem(sys.modules, "jax", raising=False)
    assert not is_part_of("/jax/_src/api.py", "jax._src")
    assert "jax" in hook.awaited


def line_of(text: str) -> int:
    """The line that is marked."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# here"))


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def places(result: Result) -> set[tuple[int, str | None, int | None]]:
    """Ranks, files and lines of the only error."""
    assert len(result.errors) == 1, str(result)
    return {(place.rank, place.file, place.line) for place in result.errors[0].places}


@pytest.mark.runs_mpi
@pytest.mark.parametrize("folder", FOLDERS)
def test_line_of_a_program_in_a_folder_named_like_a_library(mpi: Environment, tmp_path: Path, folder: str) -> None:
    path = written(tmp_path / folder / "app.py", WRONG)
    result = run(mpi, path, 2)
    assert places(result) == {(rank, str(path), line_of(WRONG)) for rank in (0, 1)}, str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("folder", FOLDERS)
def test_exception_in_a_folder_named_like_a_library(mpi: Environment, tmp_path: Path, folder: str) -> None:
    path = written(tmp_path / folder / "app.py", RAISED)
    result = run(mpi, path, 2)
    assert (1, str(path), line_of(RAISED)) in places(result), str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("installed", [True, False], ids=["library", "folder_of_the_program"])
def test_folder_of_pip_install_target(mpi: Environment, tmp_path: Path, installed: bool) -> None:
    folder = tmp_path / "vendored"
    helper = written(folder / "helper.py", HELPER)
    path = written(tmp_path / "app.py", USER)
    if installed:
        (folder / "helper-1.0.dist-info").mkdir()
    result = run(mpi, path, 2, variables={"PYTHONPATH": str(folder)})
    assert places(result) == {(rank, str(helper), 2) for rank in (0, 1)}, str(result)
    assert f"--> {path}:{line_of(USER)}" in result.err, str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("installed", [True, False], ids=["library", "folder_of_the_program"])
def test_exception_in_a_folder_of_pip_install_target(mpi: Environment, tmp_path: Path, installed: bool) -> None:
    helper = written(tmp_path / "vendored" / "helper.py", HELPER)
    path = written(tmp_path / "app.py", FAILING_USER)
    if installed:
        (helper.parent / "helper-1.0.dist-info").mkdir()
    result = run(mpi, path, 2, variables={"PYTHONPATH": str(helper.parent)})
    expected = (1, str(path), line_of(FAILING_USER)) if installed else (1, str(helper), 5)
    assert expected in places(result), str(result)
