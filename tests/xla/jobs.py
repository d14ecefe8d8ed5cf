"""Programs as several plain JAX processes, ended from outside when time is up."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

from .conftest import PROGRAMS, require_jax

SECONDS = 120
FOREIGN = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDRA_", "SLURM_", "JAXMPI_SANITIZE", "XLA_", "JAX_")


@dataclass(frozen=True, slots=True)
class Process:
    """How a process ended and what it wrote."""

    status: int
    text: str


def run(program: str, processes: int, *arguments: str, last: Mapping[str, str] | None = None) -> list[Process]:
    """Run ``programs/NAME.py ADDRESS COUNT NUMBER ARGUMENT...`` as so many processes; the test fails if one hangs.

    ``last`` are variables of the last process alone.
    """
    require_jax()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    usual = kept | {"JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"}
    environments = [usual] * (processes - 1) + [usual | dict(last or {})]
    command = [sys.executable, str(PROGRAMS / f"{program}.py"), f"127.0.0.1:{free_port()}", str(processes)]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as files:
        outputs = [Path(folder) / str(number) for number in range(processes)]
        started = [
            start([*command, str(number), *arguments], environments[number], files.enter_context(output.open("w")))
            for number, output in enumerate(outputs)
        ]
        try:
            for process in started:
                process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            end(started)
            pytest.fail(f"no end after {SECONDS} s\n" + "\n".join(output.read_text() for output in outputs))
        return [
            Process(process.returncode, output.read_text()) for process, output in zip(started, outputs, strict=True)
        ]


def start(command: list[str], environment: Mapping[str, str], output: TextIO) -> subprocess.Popen[bytes]:
    """A process with a group of its own."""
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip


def end(started: list[subprocess.Popen[bytes]]) -> None:
    """End processes and what they started."""
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
