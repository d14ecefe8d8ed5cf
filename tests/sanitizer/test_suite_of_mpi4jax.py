"""A part of mpi4jax's own tests: they end as without the sanitizer, and nothing is reported."""

from __future__ import annotations

import subprocess

import pytest

from .environments import ROOT, Environment
from .test_mpi4jax import VARIABLES, with_mpi4jax


@pytest.mark.runs_mpi
@pytest.mark.soak
def test_part_ends_as_without_the_sanitizer(mpi: Environment) -> None:
    environment = with_mpi4jax(mpi.library)
    command = [environment.python, str(ROOT / "benchmarks" / "mpi4jax_suite.py"), "--only", "sendrecv", "--verbose"]
    variables = environment.variables() | VARIABLES
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 jobs differ" in done.stdout
