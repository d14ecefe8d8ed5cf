"""Jobs of several plain JAX processes on the CPUs of this host."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from launching import THREADS, environment

OWN = "jaxmpi-sanitize: "
BEGINNING = f"{OWN}checking the launches of"

Command = Callable[[int, str], Sequence[str]]
"""The command of a process, by its number and the address of the coordinator."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that has ended, or was stopped at the time limit (its statuses are then negative)."""

    statuses: tuple[int, ...]
    late: bool
    out: tuple[str, ...]
    err: tuple[str, ...]
    codes: tuple[str, ...]  # of the reported findings

    @property
    def said(self) -> list[str]:
        """The sanitizer's own lines."""
        return [line for text in self.err for line in text.splitlines() if line.startswith(OWN)]

    @property
    def watched(self) -> bool:
        """Whether the sanitizer reported that it checks, and nothing else."""
        return len(self.said) == 1 and self.said[0].startswith(BEGINNING)


def free_address() -> str:
    """An address for a coordinator, outside of the kernel's ephemeral ports."""
    while True:
        port = random.randrange(12_000, 30_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("localhost", port))
            return f"localhost:{port}"


def variables(checked: bool, folder: Path) -> dict[str, str]:
    """The environment of a process, with or without the sanitizer; its reports go to a folder."""
    kept = {name: value for name, value in environment(THREADS).items() if not name.startswith(("JAX_", "XLA_"))}
    kept |= {"JAX_PLATFORMS": "cpu", "JAXMPI_SANITIZE": "1" if checked else "0"}
    kept["JAXMPI_SANITIZE_REPORT"] = str(folder / "report.jsonl")
    kept["JAXMPI_SANITIZE_OPTIONS"] = f"log_dir={folder / 'kept'}"
    return kept


def run(
    command: Command,
    processes: int,
    checked: bool,
    folder: Path,
    seconds: float,
    extra: Mapping[str, str] | None = None,
) -> Job:
    """Run a job with a time limit in seconds, in an existing folder used by no other job."""
    env, address = variables(checked, folder) | dict(extra or {}), free_address()
    started: list[subprocess.Popen[bytes]] = []
    for number in range(processes):
        with (folder / f"{number}.out").open("wb") as out, (folder / f"{number}.err").open("wb") as err:
            started.append(
                subprocess.Popen(
                    command(number, address), cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                    start_new_session=True,
                )
            )  # fmt: skip
    late = not _ended(started, time.monotonic() + seconds)
    texts = [
        tuple((folder / f"{number}.{stream}").read_text(errors="replace") for number in range(processes))
        for stream in ("out", "err")
    ]
    report = folder / "report.jsonl"
    lines = report.read_text().splitlines() if report.exists() else []
    codes = tuple(str(json.loads(line)["code"]) for line in lines)
    return Job(tuple(process.wait() for process in started), late, texts[0], texts[1], codes)


def _ended(started: Sequence[subprocess.Popen[bytes]], deadline: float) -> bool:
    """Wait for processes, and stop the remaining ones at the deadline."""
    try:
        for process in started:
            process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return False
    return True
