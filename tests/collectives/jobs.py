"""Programs as MPI jobs, ended from outside when time is up."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from sanitizer.environments import Environment, cannot_run, has
from sanitizer.harness import NEVER_STARTED

PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 240


@dataclass(frozen=True, slots=True)
class Job:
    """How a job ended and what its ranks wrote."""

    status: int
    text: str


def run(mpi: Environment, ranks: int, program: Path | str, variables: Mapping[str, str], seconds: int = SECONDS) -> Job:
    """Run a program (its file, or its text) on this many ranks; the test fails if it does not end.

    A job that Open MPI's launcher could not start is started once more.
    """
    if not has(mpi.prefix, "jax"):
        cannot_run(f"no jax in the environment with {mpi}: run `python tests/prepare.py`")
    job = _run(mpi, ranks, program, variables, seconds)
    return _run(mpi, ranks, program, variables, seconds) if NEVER_STARTED in job.text else job


def _run(mpi: Environment, ranks: int, program: Path | str, variables: Mapping[str, str], seconds: int) -> Job:
    what = ["-c", program] if isinstance(program, str) else [str(program)]
    environment = mpi.variables() | {"JAX_PLATFORMS": "cpu", **variables}
    process = subprocess.Popen(
        mpi.launch(ranks, mpi.python, *what), env=environment, stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        text, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            text, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
        pytest.fail(f"no end after {seconds} s\n{text}")
    return Job(process.returncode, text)


def jaxlib_headers(mpi: Environment) -> str:
    """Where the environment's jaxlib has the headers of XLA's interface."""
    asked = subprocess.run(
        [mpi.python, "-c", "import jax; print(jax.ffi.include_dir())"],
        env=mpi.variables(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if asked.returncode:
        cannot_run(f"no jax in the environment with {mpi}: run `python tests/prepare.py`")
    return asked.stdout.strip()


def passes(mpi: Environment, ranks: int, program: str, variables: Mapping[str, str]) -> None:
    """All checks of a program under ``programs/`` pass on all ranks."""
    job = run(mpi, ranks, PROGRAMS / f"{program}.py", variables)
    assert job.status == 0, job.text
    assert job.text.count("checks passed") == ranks, job.text
