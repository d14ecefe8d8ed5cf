"""Starts a program of the examples with a limit, or says what is missing for it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from sanitizer.environments import cannot_run

SECONDS = 120


def require(missing: list[str]) -> None:
    """Skip, or fail where runs are required, naming what is missing."""
    if missing:
        cannot_run(f"not run here, missing: {', '.join(missing)} (see examples/README.md, 'What you need')")


def launcher() -> str | None:
    """The ``mpirun`` of this Python's environment, else the one on the path."""
    beside = Path(sys.executable).parent / "mpirun"
    return str(beside) if beside.exists() else shutil.which("mpirun")


def output_of(command: list[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """Exit code and output; the command and everything it started are ended when time is up."""
    merged = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=merged, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            output, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        pytest.fail(f"no end after {SECONDS} s: {' '.join(command)}\n{output}")
    return process.returncode, output
