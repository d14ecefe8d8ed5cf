"""A part of mpi4py's own tests: they end as without the sanitizer, and nothing is reported."""

from __future__ import annotations

import subprocess

import pytest

from .environments import ROOT, Environment

pytestmark = pytest.mark.runs_mpi


@pytest.mark.parametrize(
    ("ranks", "only"),
    [("2", "cco_obj"), pytest.param("2", "", marks=pytest.mark.soak), pytest.param("3", "", marks=pytest.mark.soak)],
)
def test_subset_ends_as_without_the_sanitizer(mpi: Environment, ranks: str, only: str) -> None:
    command = [mpi.python, str(ROOT / "benchmarks" / "mpi4py_suite.py"), "--subset", "--verbose", "--ranks", ranks]
    command += ["--only", only]
    done = subprocess.run(command, env=mpi.variables(), capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 jobs differ" in done.stdout
