"""Parts of mpi4py's and mpi4jax's own tests on two hosts: they end as without the sanitizer, nothing is reported."""

from __future__ import annotations

import subprocess

import pytest
from sanitizer.environments import ROOT, Environment

from .hosts import missing

pytestmark = pytest.mark.runs_mpi


@pytest.mark.parametrize(
    ("suite", "arguments", "selection"),
    [
        ("mpi4py", ["--subset", "--ranks", "2"], "cco_obj"),
        pytest.param("mpi4py", ["--subset", "--ranks", "3"], "", marks=pytest.mark.soak),
        pytest.param("mpi4jax", ["--ranks", "2"], "sendrecv", marks=pytest.mark.soak),
    ],
)
def test_suite_ends_as_without_the_sanitizer(
    mpi: Environment, suite: str, arguments: list[str], selection: str
) -> None:
    if why := missing():
        pytest.skip(f"needs hosts made from namespaces: {why}")
    command = [mpi.python, str(ROOT / "benchmarks" / f"{suite}_suite.py"), "--hosts", "2", "--verbose"]
    command += [*arguments, "--only", selection]
    done = subprocess.run(command, env=mpi.variables(), capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 jobs differ" in done.stdout
    assert ": 0 jobs" not in done.stdout
