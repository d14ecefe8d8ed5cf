"""Programs that import mpi4jax, on our core."""

from __future__ import annotations

from pathlib import Path

import pytest
from jobs import run
from sanitizer.environments import Environment

CORE = {"JAXMPI_SANITIZE": "1", "JAXMPI_SANITIZE_OPTIONS": "backend=core"}
PROGRAM = """
import mpi4jax
from mpi4jax import allreduce
import jax, jax.numpy as jnp
from mpi4py import MPI
total = jax.jit(lambda x: allreduce(x, op=MPI.SUM))(jnp.ones(3))
print("total", float(total[0]), allreduce.__module__, type(mpi4jax.has_cuda_support()).__name__)
"""
DISAGREEMENT = """
import mpi4jax, jax.numpy as jnp
from mpi4py import MPI
rank = MPI.COMM_WORLD.rank
mpi4jax.allreduce(jnp.ones(4 + rank), op=MPI.SUM)
print("went on")
"""


@pytest.mark.runs_mpi
def test_mpi4jax_is_the_core(mpi: Environment) -> None:
    job = run(mpi, 2, PROGRAM, CORE)
    assert job.status == 0, job.text
    assert job.text.count("total 2.0 jaxmpi_lint.runtime.collectives.operations bool") == 2
    assert job.text.count("mpi4jax is the collectives core of jaxmpi-lint") == 1


@pytest.mark.runs_mpi
def test_mpi4jax_need_not_be_installed(mpi: Environment) -> None:
    hidden = "import sys; sys.path_importer_cache.clear()\n"
    hidden += "from importlib.machinery import PathFinder\nfind = PathFinder.find_spec\n"
    hidden += "PathFinder.find_spec = classmethod(lambda c, n, *a: None if n == 'mpi4jax' else find(n, *a))\n"
    assert run(mpi, 2, hidden + PROGRAM, CORE).text.count("total 2.0") == 2
    assert "No module named 'mpi4jax'" in run(mpi, 1, hidden + PROGRAM, {}).text


@pytest.mark.runs_mpi
def test_sanitizer_compares_before_data_moves(mpi: Environment, tmp_path: Path) -> None:
    job = run(mpi, 2, DISAGREEMENT, CORE | {"JAXMPI_SANITIZE_OPTIONS": f"log_dir={tmp_path}:backend=core"})
    assert job.status == 66, job.text
    assert "JS105" in job.text
    assert "went on" not in job.text
