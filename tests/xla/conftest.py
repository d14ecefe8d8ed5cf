"""Texts of programs that the installed JAX compiles, once for all tests."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sanitizer.environments import cannot_run

PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 120


@pytest.fixture(scope="session")
def compiled() -> dict[str, dict[str, str]]:
    """For each program of ``programs/compiled.py`` its texts: ``hlo``, ``stablehlo``, and ``located`` with places."""
    require_jax()
    environment = os.environ | {
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAXMPI_SANITIZE": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / "compiled.py")],
        env=environment, capture_output=True, text=True, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    texts: dict[str, dict[str, str]] = json.loads(done.stdout.splitlines()[-1])
    return texts


def require_jax() -> None:
    """Skip where JAX is not installed; fail there if runs are required."""
    if importlib.util.find_spec("jax") is None:
        cannot_run("jax is not installed")


def line_of(comment: str) -> int:
    """The line of ``programs/compiled.py`` that ends with a comment."""
    lines = (PROGRAMS / "compiled.py").read_text(encoding="utf-8").splitlines()
    (number,) = [number for number, line in enumerate(lines, 1) if line.endswith(f"# {comment}")]
    return number
