"""The project's own standards: types, style, generated pages, and our linter on our code."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

pytestmark = pytest.mark.types

DIVERGENCE = ROOT / "jaxmpi_lint" / "analysis" / "divergence"
LONGEST_METHOD = 20  # rows of the engine's functions, docstring included

COMMANDS = {
    "types": ["-m", "mypy"],
    "lint": ["-m", "ruff", "check", "--no-cache", "."],
    "format": ["-m", "ruff", "format", "--no-cache", "--check", "."],
    "pages of the rules": ["-m", "jaxmpi_lint.docs", "--check"],
    "layers": ["tools/check_layers.py"],
    "tables of the pages": ["tools/generate_doc_tables.py", "--check"],
    "sizes of the rules": ["tools/rule_sizes.py", "--max", "60", "--examples", "6"],
    "simple divergence engine": [
        *("-m", "ruff", "check", "--no-cache", "--select", "C901", "--config", "lint.mccabe.max-complexity=10"),
        str(DIVERGENCE),
    ],
    "library tables": ["tools/generate_library_tables.py", "--check"],
    "our linter on our code": ["-m", "jaxmpi_lint", "--no-cache", "jaxmpi_lint", "tests", "tools", "benchmarks"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_standard(name: str) -> None:
    run = subprocess.run(
        [sys.executable, *COMMANDS[name]], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_each_limit_of_a_rule_is_checked_where_it_is_given() -> None:
    for limit, words in (("--examples", "examples (at most 1)"), ("--max", "no example (at most 1)")):
        run = subprocess.run(
            [sys.executable, "tools/rule_sizes.py", limit, "1"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert run.returncode == 1
        lines = run.stdout.splitlines()
        assert lines
        assert all(line.startswith("jm") and line.endswith(words) for line in lines)


def test_functions_of_the_divergence_engine_are_short() -> None:
    functions = [
        (node.end_lineno - node.lineno + 1, f"{path.name}:{node.lineno} {node.name}")
        for path in sorted(DIVERGENCE.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None
    ]
    assert functions
    assert [f"{place}: {rows} rows" for rows, place in functions if rows > LONGEST_METHOD] == []


def test_format_of_native_code() -> None:
    sources = [str(p) for p in (ROOT / "jaxmpi_lint" / "runtime" / "native").rglob("*.[ch]pp")]
    sources += [str(p) for p in (ROOT / "tests" / "native").rglob("*.[ch]pp")]
    run = subprocess.run(
        [str(Path(sys.executable).with_name("clang-format")), "--dry-run", "--Werror", *sources],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
