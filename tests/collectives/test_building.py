"""How the extension comes to be there, and what is said if it cannot."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from jobs import jaxlib_headers, run
from sanitizer.environments import Environment

SOURCES = Path(__file__).parent.parent.parent / "jaxmpi_lint" / "runtime" / "native" / "collectives"
USE = """
from mpi4py import MPI
import jaxmpi_lint.runtime.collectives as core
print("sum", float(core.allreduce(1.0, MPI.SUM)))
"""
WITHOUT = """
try:
    import jaxmpi_lint.runtime.collectives
except ImportError as error:
    print("refused:", str(error).splitlines())
"""

ANOTHER_JAX = """
import jax
from jax._src import dispatch, effects
{change}
try:
    import jaxmpi_lint.runtime.collectives
except ImportError as error:
    print("refused:", type(error).__name__, error)
"""
WITHOUT_JAX = """
import sys
sys.modules["jax"] = None
import jaxmpi_lint.runtime.collectives
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("del effects.custom_derivatives_allowed_effects", "custom_derivatives_allowed_effects"),
        (
            "del jax._src.dispatch, sys.modules['jax._src.dispatch']; sys.modules['jax._src.dispatch'] = None",
            "dispatch",
        ),
        ("del type(dispatch.runtime_tokens).set_token_result", "set_token_result"),
        ("del jax.interpreters.mlir.TokenSet", "TokenSet"),
    ],
)
def test_jax_whose_names_moved_is_refused_in_one_line(mpi: Environment, change: str, name: str) -> None:
    job = run(mpi, 1, "import sys\n" + ANOTHER_JAX.format(change=change), {})
    refused = next((line for line in job.text.splitlines() if line.startswith("refused:")), job.text)
    assert re.fullmatch(
        rf"refused: Unavailable jax \S+ lacks a name that jaxmpi_lint.runtime.collectives needs \(.*{name}.*\); "
        "install a version listed in .*, or a newer jaxmpi-lint",
        refused,
    ), job.text


@pytest.mark.runs_mpi
def test_missing_jax_is_a_missing_module(mpi: Environment) -> None:
    job = run(mpi, 1, WITHOUT_JAX, {})
    assert "ModuleNotFoundError: import of jax halted" in job.text


@pytest.mark.runs_mpi
def test_ranks_that_start_at_once_compile_once(mpi: Environment, tmp_path: Path) -> None:
    job = run(mpi, 3, USE, {"JAXMPI_CACHE_DIR": str(tmp_path)})
    assert job.status == 0, job.text
    assert job.text.count("sum 3.0") == 3
    (library,) = tmp_path.glob("*.so")
    made = library.stat().st_mtime_ns
    assert not list(tmp_path.glob("building-*"))
    assert run(mpi, 2, USE, {"JAXMPI_CACHE_DIR": str(tmp_path), "CXX": "no-such-compiler"}).status == 0
    assert library.stat().st_mtime_ns == made


@pytest.mark.runs_mpi
def test_without_a_compiler_one_line_says_so(mpi: Environment, tmp_path: Path) -> None:
    job = run(mpi, 1, WITHOUT, {"JAXMPI_CACHE_DIR": str(tmp_path), "CXX": "no-such-compiler"})
    assert "CXX=no-such-compiler is not a command" in job.text
    job = run(mpi, 1, WITHOUT, {"JAXMPI_CACHE_DIR": str(tmp_path), "CXX": "false"})
    assert "refused: ['false cannot compile the collectives extension: exit status 1']" in job.text


@pytest.mark.runs_mpi
def test_folder_that_cannot_be_made_is_named(mpi: Environment, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    job = run(mpi, 1, WITHOUT, {"JAXMPI_CACHE_DIR": str(tmp_path / "file" / "folder")})
    assert f"cannot be stored in {tmp_path}/file/folder" in job.text
    assert "set JAXMPI_CACHE_DIR to a writable folder" in job.text


@pytest.mark.jobs
def test_neither_linter_nor_sanitizer_imports_jax() -> None:
    code = "import sys, jaxmpi_lint, jaxmpi_lint.cli, jaxmpi_lint.runtime, jaxmpi_lint.runtime.process.backend; "
    check = "sys.exit(any(name in sys.modules for name in ('jax', 'mpi4py')))"
    environment = {**os.environ, "JAXMPI_SANITIZE": "0"}
    assert subprocess.run([sys.executable, "-c", code + check], env=environment, check=False).returncode == 0


@pytest.mark.runs_mpi
def test_sources_have_no_warnings(mpi: Environment) -> None:
    checked = ["-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-isystem", jaxlib_headers(mpi)]
    sources = [str(source) for source in SOURCES.glob("*.cpp")]
    compiler = os.environ.get("CXX", "c++").split()
    done = subprocess.run([*compiler, "-std=c++17", *checked, *sources], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
