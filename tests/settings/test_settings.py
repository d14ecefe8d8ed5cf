"""``[tool.jaxmpi-lint]``, library versions and the choice of rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.settings import pyproject, rule_selection, target_versions
from jaxmpi_lint.settings.settings import Settings, Wrapper


def read(tmp_path: Path, table: str) -> dict[str, Any]:
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxmpi-lint]\n{table}", encoding="utf-8")
    return pyproject.read_project(tmp_path)


def test_every_setting_is_read(tmp_path: Path) -> None:
    values = read(
        tmp_path,
        """
select = ["JM1"]
ignore = ["JM101"]
extend-select = ["JM5"]
exclude = ["third_party"]
src = ["lib"]
rank-names = ["my_rank"]
comm-names = ["team"]
uniform = ["cfg.*"]
transforms = ["mylib.compile"]
preview = true
min-confidence = "low"
min-severity = "info"
output-format = "json"
baseline = "known.json"
cache-dir = ".cache"
jobs = 3
docs-url = "https://docs.example.org"
[tool.jaxmpi-lint.per-file-ignores]
"tests/*" = ["JM2"]
[tool.jaxmpi-lint.target]
mpi4jax = "0.7.1"
[[tool.jaxmpi-lint.wrappers]]
name = "my.allreduce"
operation = "mpi4py.MPI.Comm.allreduce"
communicator = 2
value = "data"
""",
    )
    settings = Settings(root=tmp_path, **values)
    assert settings.select == ("JM1",)
    assert settings.per_file_ignores == (("tests/*", ("JM2",)),)
    assert settings.targets == {"mpi4jax": (0, 7, 1)}
    assert settings.wrappers == (Wrapper("my.allreduce", "mpi4py.MPI.Comm.allreduce", 2, None, "data"),)
    assert settings.min_confidence is Confidence.LOW
    assert settings.min_severity is Severity.INFO
    assert settings.baseline == tmp_path / "known.json"
    assert settings.cache_folder == tmp_path / ".cache"
    assert settings.docs_url == "https://docs.example.org"
    assert (settings.jobs, settings.preview, settings.uniform) == (3, True, ("cfg.*",))


def test_a_table_of_wrappers_is_the_same_as_a_list(tmp_path: Path) -> None:
    values = read(tmp_path, '[tool.jaxmpi-lint.wrappers."my.bcast"]\noperation = "mpi4py.MPI.Comm.bcast"\n')
    assert values["wrappers"] == (Wrapper("my.bcast", "mpi4py.MPI.Comm.bcast"),)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "selct = []",
            r"pyproject\.toml: \[tool\.jaxmpi-lint\] selct: unknown setting; did you mean `select`\? ",
        ),
        ("zzz = []", "zzz: unknown setting; `jaxmpi-lint --show-settings` lists all"),
        ('select = "JM1"', "select: expected a list of strings"),
        ("jobs = 0", "jobs: expected a number of processes from 1"),
        ('docs-url = "docs"', "docs-url: expected a URL that starts with"),
        ("jobs = true", "jobs: expected a number of processes from 1"),
        ("preview = 1", "preview: expected true or false"),
        ('output-format = "xml"', "output-format: expected one of full, concise"),
        ('min-severity = "fatal"', "min-severity: expected one of error, warning, info"),
        ('target = { torch = "2" }', "target: unknown package torch"),
        ('target = { jax = "new" }', "target: jax: 'new' is not a version"),
        ('wrappers = [{ name = "f" }]', "a wrapper needs name and operation"),
        ('wrappers = [{ name = "f", operation = "g", comm = 1 }]', "unknown key comm; did you mean `communicator`"),
        (
            'wrappers = [{ name = "f", operation = "g", root = -1 }]',
            r"root: expected the position \(from 0\) or the name",
        ),
        ('wrappers = [{ name = "f", operation = "g", communicator = "" }]', "communicator: expected the position"),
        ("per-file-ignores = []", "per-file-ignores: expected a table"),
    ],
)
def test_a_mistake_names_file_and_key(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read(tmp_path, table)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[tool", "not valid TOML"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"x = " + b"[" * 5000, "not valid TOML"),
        (b"tool.jaxmpi-lint = 1", "must be a table of settings"),
    ],
)
def test_a_broken_file_is_an_error_of_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    with pytest.raises(UserError, match=message) as caught:
        pyproject.read_project(tmp_path)
    assert "\n" not in str(caught.value)


def test_config_option_takes_a_file_or_one_setting(tmp_path: Path) -> None:
    (tmp_path / "lint.toml").write_text('select = ["JM5"]\nbaseline = "b.json"\n')
    assert pyproject.read_option(str(tmp_path / "lint.toml"), tmp_path) == {
        "select": ("JM5",),
        "baseline": tmp_path / "b.json",
    }
    assert pyproject.read_option("jobs = 2", tmp_path) == {"jobs": 2}
    with pytest.raises(UserError, match="no such file"):
        pyproject.read_option("absent.toml", tmp_path)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("0.8.1", (0, 8, 1)),
        ("v4", (4,)),
        ("0.4.30.dev1+cuda", (0, 4, 30)),
        ("1.0rc1", (1, 0)),
        ("x", None),
        ("", None),
    ],
)
def test_versions(text: str, version: tuple[int, ...] | None) -> None:
    assert pyproject.parse_version(text) == version


@pytest.mark.parametrize("option", ["jax", "jax=", "torch=2", "jax=new"])
def test_a_target_that_makes_no_sense_is_refused(option: str) -> None:
    with pytest.raises(UserError, match="expected PACKAGE=VERSION"):
        pyproject.parse_target(option)


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("mpi4jax==0.5.2", {"mpi4jax": (0, 5, 2)}),
        ("mpi4jax<0.8", {"mpi4jax": (0, 7, 999)}),
        ("mpi4jax>=0.6,<0.8 ; python_version > '3.9'", {"mpi4jax": (0, 7, 999)}),
        ("mpi4jax>=0.5", {}),
        ("mpi4jax", {}),
        ("mpi4py~=3.1.4", {"mpi4py": (3, 1, 999)}),
        ("mpi4py>=3,<5", {}),
        ("jax[cuda12]==0.4.35", {"jax": (0, 4, 35), "mpi4jax": (0, 7, 999)}),
        ("jax==0.4.*", {"jax": (0, 4, 999), "mpi4jax": (0, 7, 999)}),
        ("jaxlib==0.4.1", {}),
        ("jax @ git+https://example.org/jax", {}),
    ],
)
def test_a_requirement_settles_a_version_if_it_leaves_one_generation(
    tmp_path: Path, requirement: str, expected: dict[str, tuple[int, ...]]
) -> None:
    (tmp_path / "requirements.txt").write_text(f"numpy\n{requirement}\n")
    assert target_versions.detect(tmp_path) == expected


def test_a_lock_file_wins_over_requirements(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text('version = 1\n[[package]]\nname = "jax"\nversion = "0.5.3"\n')
    (tmp_path / "requirements.txt").write_text("jax==0.4.1\nmpi4py==4.0.0\n")
    assert target_versions.detect(tmp_path) == {"jax": (0, 5, 3), "mpi4py": (4, 0, 0)}


def test_a_lock_file_with_two_versions_settles_nothing(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text('name = "jax"\nversion = "0.5.3"\n\nname = "jax"\nversion = "0.4.3"\n')
    assert target_versions.detect(tmp_path) == {}


def test_dependencies_of_the_project_and_of_poetry_are_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["mpi4py==4.1.0"]\n[tool.poetry.dependencies]\nmpi4jax = "^0.5"\n'
    )
    assert target_versions.detect(tmp_path) == {"mpi4py": (4, 1, 0), "mpi4jax": (0, 5, 999)}


CODES = {"JM101": False, "JM102": False, "JM113": True, "JM501": False}


def chosen(**values: Any) -> set[str]:
    return set(rule_selection.enabled(Settings(root=Path(), **values), CODES))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, {"JM101", "JM102", "JM501"}),
        ({"select": ("JM501",)}, {"JM501"}),
        ({"select": ("JM1",)}, {"JM101", "JM102"}),
        ({"ignore": ("JM1",)}, {"JM501"}),
        ({"ignore": ("JM1",), "extend_select": ("JM102",)}, {"JM102", "JM501"}),
        ({"select": ("JM101",), "ignore": ("ALL",)}, {"JM101"}),
        ({"select": ("JM101",), "ignore": ("JM101",)}, set()),
        ({"preview": True, "select": ("JM113",)}, {"JM113"}),
        ({"select": ("JM113",)}, set()),
    ],
)
def test_the_most_specific_selector_wins(values: dict[str, Any], expected: set[str]) -> None:
    assert chosen(**values) == expected


def test_an_unknown_code_names_where_it_was_written() -> None:
    with pytest.raises(UserError, match="--select: unknown rule code 'JM999'"):
        chosen(origins=(("--select", ("JM999",)),))


@pytest.mark.parametrize(
    ("configured", "given", "expected"),
    [
        ({"ignore": ("JM501",)}, {"select": ("JM5",)}, {"select": ("JM5",), "extend_select": (), "ignore": ("JM501",)}),
        ({"ignore": ("JM501",)}, {"extend_select": ("JM501",)}, {"extend_select": ("JM501",), "ignore": ()}),
        ({"extend_select": ("JM501",)}, {"ignore": ("JM5",)}, {"extend_select": (), "ignore": ("JM5",)}),
        ({"select": ("JM1",)}, {}, {"select": ("JM1",), "extend_select": (), "ignore": ()}),
    ],
)
def test_the_command_line_decides_what_it_speaks_of(
    configured: dict[str, tuple[str, ...]], given: dict[str, tuple[str, ...]], expected: dict[str, tuple[str, ...]]
) -> None:
    assert rule_selection.merge(configured, given) == expected
