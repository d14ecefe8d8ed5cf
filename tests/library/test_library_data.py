"""The hand-written tables of names: data only, documented, used, and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from places import ROOT

LIBRARY = ROOT / "jaxmpi_lint" / "library"
TABLES = (
    "jax/arrays", "jax/derivatives", "jax/device_placement", "jax/dtypes", "jax/mapping_transforms", "jax/processes",
    "jax/tracers", "mpi/agreement", "mpi/mpi4jax_functions", "mpi/mpi4py_names", "python/array_shapes", "python/files",
    "python/hashes", "python/names", "python/process_exit", "python/sequences",
)  # fmt: skip
DOTTED = re.compile(r"(?:numpy|jax|flax|equinox|haiku|tqdm)\.[A-Za-z_.]+")
MOST = 20


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def documented(table: str) -> dict[str, bool]:
    """The names that a table defines, and whether text follows each of them."""
    body = parsed(LIBRARY / f"{table}.py").body
    return {
        ast.unparse(node.targets[0]): isinstance(after, ast.Expr)
        for node, after in zip(body, [*body[1:], None], strict=True)
        if isinstance(node, ast.Assign)
    }


@pytest.mark.parametrize("table", TABLES)
def test_table_holds_data_only(table: str) -> None:
    docstring, future, *rest = parsed(LIBRARY / f"{table}.py").body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(future, ast.ImportFrom)
    assert future.module == "__future__"
    assert rest
    assert all(isinstance(node, (ast.Assign, ast.Expr)) for node in rest)


@pytest.mark.parametrize("table", TABLES)
def test_each_entry_says_what_it_does(table: str) -> None:
    assert [name for name, is_documented in documented(table).items() if not is_documented] == []


def test_each_entry_is_used() -> None:
    modules = [path for path in (ROOT / "jaxmpi_lint").rglob("*.py") if LIBRARY not in path.parents]
    used = {word for path in modules for word in re.findall(r"\b[A-Z][A-Z_]+\b", path.read_text(encoding="utf-8"))}
    assert [name for table in TABLES for name in documented(table) if name not in used] == []


def test_names_of_libraries_are_data_of_the_library() -> None:
    found = [
        node.value
        for package in ("analysis", "checks")
        for path in (ROOT / "jaxmpi_lint" / package).rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value)
    ]
    assert len(found) <= MOST, sorted(found)
