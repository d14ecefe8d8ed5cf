"""Imports found without parsing, and the files they lead to."""

from __future__ import annotations

import pytest

from jaxmpi_lint.sources.import_scan import ImportedModule, ModuleFinder, scan


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b", [ImportedModule("a.b")]),
        ("import a, b.c as d", [ImportedModule("a"), ImportedModule("b.c")]),
        ("from a.b import c as d, e", [ImportedModule("a.b", 0, ("c", "e"))]),
        ("from . import x", [ImportedModule("", 1, ("x",))]),
        ("from ..pkg import *", [ImportedModule("pkg", 2, ("*",))]),
        ("from a import (b,  # why\n    c,\n)", [ImportedModule("a", 0, ("b", "c"))]),
        ("from a import b, \\\n    c", [ImportedModule("a", 0, ("b", "c"))]),
        ("def f():\n    import inner", [ImportedModule("inner")]),
        ("try: import fast\nexcept ImportError: import slow", [ImportedModule("fast"), ImportedModule("slow")]),
        ("x = 1; import late", [ImportedModule("late")]),
        ("from a import b; from c import d", [ImportedModule("a", 0, ("b",)), ImportedModule("c", 0, ("d",))]),
        ("important = 1\nfromage = 2", []),
        ("from a import b\r\nimport c\r\n", [ImportedModule("a", 0, ("b",)), ImportedModule("c")]),
    ],
)
def test_scan(source: str, expected: list[ImportedModule]) -> None:
    assert scan(source.encode()) == expected


def finder(*files: str, src: tuple[str, ...] = ("src",)) -> ModuleFinder:
    return ModuleFinder("/p", src, [f"/p/{name}" for name in files])


def test_a_script_finds_its_neighbour_before_the_root() -> None:
    found = finder("scripts/run.py", "scripts/util.py", "util.py")
    assert found.find("/p/scripts/run.py", "util.f") == ("/p/scripts/util.py", "f")


def test_unrelated_scripts_may_share_the_name_of_a_module() -> None:
    found = finder("one/run.py", "one/util.py", "two/run.py", "two/util.py")
    assert found.find("/p/one/run.py", "util") == ("/p/one/util.py", "")
    assert found.find("/p/two/run.py", "util") == ("/p/two/util.py", "")


def test_configured_folders_come_before_the_root() -> None:
    found = finder("lib/pkg/__init__.py", "pkg/__init__.py", "tests/t.py", src=("lib",))
    assert found.find("/p/tests/t.py", "pkg.name") == ("/p/lib/pkg/__init__.py", "name")


def test_the_deepest_module_is_found_and_the_rest_of_the_name_told() -> None:
    found = finder("src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/mod.py")
    assert found.find("/p/t.py", "pkg.sub.mod.Class.method") == ("/p/src/pkg/sub/mod.py", "Class.method")
    assert found.find("/p/t.py", "pkg.sub.other") == ("/p/src/pkg/sub/__init__.py", "other")


def test_relative_imports_start_from_the_folder_of_the_importer() -> None:
    found = finder("pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py")
    assert found.find("/p/pkg/sub/b.py", "a.f", 2) == ("/p/pkg/a.py", "f")
    assert found.find("/p/pkg/sub/b.py", "", 1) == ("/p/pkg/sub/__init__.py", "")
    assert found.find("/p/pkg/__init__.py", "a", 1) == ("/p/pkg/a.py", "")
    assert found.find("/p/pkg/a.py", "x", 9) is None


def test_namespace_packages_are_found_and_a_regular_one_wins() -> None:
    found = finder("space/one.py", "src/space/two.py", "t.py")
    assert found.find("/p/t.py", "space.one") == ("/p/space/one.py", "")
    assert found.find("/p/t.py", "space.two") == ("/p/src/space/two.py", "")
    assert found.find("/p/t.py", "space") is None
    regular = finder("space/one.py", "src/space/__init__.py", "t.py")
    assert regular.find("/p/t.py", "space.one") == ("/p/src/space/__init__.py", "one")


def test_a_module_of_a_package_does_not_shadow_an_installed_package() -> None:
    found = finder("net/__init__.py", "net/jax/__init__.py", "net/user.py", "net/random.py", "tests/numpy/x.py")
    assert found.find("/p/net/user.py", "jax.lax") is None
    assert found.find("/p/net/user.py", "random") is None
    assert found.find("/p/tests/t.py", "numpy.x") is None


def test_a_project_that_is_the_library_finds_its_own_files() -> None:
    found = finder("jax/__init__.py", "jax/lax.py", "tests/t.py")
    assert found.find("/p/tests/t.py", "jax.lax.psum") == ("/p/jax/lax.py", "psum")


def test_a_package_elsewhere_in_the_project_is_found_if_its_name_is_unique() -> None:
    found = finder("python/pkg/__init__.py", "tests/t.py")
    assert found.find("/p/tests/t.py", "pkg.f") == ("/p/python/pkg/__init__.py", "f")
    twice = finder("a/pkg/__init__.py", "b/pkg/__init__.py", "tests/t.py")
    assert twice.find("/p/tests/t.py", "pkg.f") is None


def in_package(**files: str) -> ModuleFinder:
    contents = {"/p/pkg/__init__.py": b"", **{f"/p/pkg/{name}.py": text.encode() for name, text in files.items()}}
    return ModuleFinder("/p", (), contents, contents.__getitem__)


def test_what_is_nowhere_else_may_lie_beside_a_module_of_a_package() -> None:
    found = in_package(run="from tools import share", tools="")
    assert found.find("/p/pkg/run.py", "tools.share") == ("/p/pkg/tools.py", "share")
    beside = finder("pkg/__init__.py", "pkg/run.py", "pkg/tools.py", "tools.py")
    assert beside.find("/p/pkg/run.py", "tools.share") == ("/p/tools.py", "share")


def test_a_module_of_a_package_does_not_stand_for_an_installed_namesake() -> None:
    wrapper = in_package(run="from redis import Client", redis="import redis\nClient = redis.Client")
    assert wrapper.find("/p/pkg/run.py", "redis.Client") is None
    relative = in_package(run="from redis import Client", other="from .redis import x", redis="")
    assert relative.find("/p/pkg/run.py", "redis.Client") is None
    named = in_package(run="from redis import Client", other="from . import redis", redis="")
    assert named.find("/p/pkg/run.py", "redis.Client") is None


def test_files_that_cannot_be_read_say_nothing_against_a_neighbour() -> None:
    found = finder("pkg/__init__.py", "pkg/run.py", "pkg/tools.py")
    assert found.find("/p/pkg/run.py", "tools") == ("/p/pkg/tools.py", "")


@pytest.mark.parametrize(
    ("path", "name", "is_package"),
    [
        ("src/pkg/__init__.py", "pkg", True),
        ("src/pkg/a.py", "pkg.a", False),
        ("src/space/one.py", "space.one", False),
        ("script.py", "script", False),
        ("my-scripts/run.py", "run", False),
    ],
)
def test_module_names(path: str, name: str, is_package: bool) -> None:
    found = finder("src/pkg/__init__.py", "src/pkg/a.py", "src/space/one.py", "script.py", "my-scripts/run.py")
    assert found.module_name(f"/p/{path}") == (name, is_package)


def test_a_namespace_package_below_the_root_imports_its_own_modules() -> None:
    found = finder("work/job/main.py", "work/job/steps.py", "other/job/steps.py")
    assert found.find("/p/work/job/main.py", "job.steps.run") == ("/p/work/job/steps.py", "run")
    assert found.find("/p/work/job/main.py", "job.missing.run") is None


def test_a_script_finds_what_lies_in_the_folder_that_it_is_started_from() -> None:
    found = finder("work/scripts/main.py", "work/lib/steps.py", "work/json/steps.py", "other/lib/steps.py")
    assert found.find("/p/work/scripts/main.py", "lib.steps.run") == ("/p/work/lib/steps.py", "run")
    assert found.find("/p/work/scripts/main.py", "json.steps") is None
    assert found.find("/p/work/lib/steps.py", "scripts.main") == ("/p/work/scripts/main.py", "")


def test_a_script_finds_a_module_that_only_one_other_folder_of_scripts_has() -> None:
    found = finder("train/main.py", "common/saving.py", "a/twice.py", "b/twice.py", "pkg/__init__.py", "pkg/inner.py")
    assert found.find("/p/train/main.py", "saving.save") == ("/p/common/saving.py", "save")
    assert found.find("/p/train/main.py", "twice") is None
    assert found.find("/p/train/main.py", "inner") is None
    assert found.find("/p/pkg/inner.py", "saving") is None
