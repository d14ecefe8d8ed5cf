"""Measurement of commands: CPU time of all their processes, memory, output, and a time limit."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
_STEP = 0.02  # seconds between two polls of a running command


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command: its exit status (negative: the signal that ended it) and its resources.

    ``cpu`` counts user and system seconds of all its processes, ``peak`` is the memory of the largest one in bytes.
    """

    status: int
    cpu: float
    peak: int
    out: str
    err: str
    stopped: bool = False


def linter() -> list[str]:
    """The command that starts jaxmpi-lint: the script beside this Python, otherwise the package as a module."""
    script = Path(sys.executable).with_name("jaxmpi-lint")
    if script.exists() and "PYTHONPATH" not in os.environ:
        return [str(script)]
    if importlib.util.find_spec("jaxmpi_lint") is None:
        raise SystemExit("error: jaxmpi-lint is not installed for this Python; run `pip install .` in the repository")
    return [sys.executable, "-m", "jaxmpi_lint"]


def tool(name: str, folder: str | None) -> str | None:
    """The path of a different tool: in ``folder`` if given, beside this Python, or in PATH."""
    beside = str(Path(sys.executable).parent)
    places = filter(None, [folder, beside, os.environ.get("PATH")])
    return shutil.which(name, path=os.pathsep.join(places))


def run(command: Sequence[str], limit: float, folder: str | None = None, extra: Mapping[str, str] | None = None) -> Run:
    """Run a command for at most ``limit`` seconds; processes that outlive it are waited for and counted as well."""
    _adopt_orphans()
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=folder,
            env={**os.environ, **(extra or {})},
            start_new_session=True,
        )
        usages, status, stopped = _reap(process.pid, limit)
        process.returncode = status
        cpu = sum(user + system for user, system, _ in usages)
        unit = 1 if sys.platform == "darwin" else 1024
        peak = max(size for *_, size in usages) * unit
        return Run(status, cpu, peak, _text(out), _text(err), stopped)


def _adopt_orphans() -> None:
    """Make this process the parent of orphans (from the fork server of a pool), so that their time is counted."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _reap(main: int, limit: float) -> tuple[list[tuple[float, float, int]], int, bool]:
    """Wait for a process and all its descendants: their resources, the status of the first, whether it was stopped."""
    usages: list[tuple[float, float, int]] = []
    status = 0
    stopped = False
    end = time.monotonic() + limit
    while True:
        try:
            pid, code, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return usages, status, stopped
        if pid:
            usages.append((usage.ru_utime, usage.ru_stime, usage.ru_maxrss))
            status = os.waitstatus_to_exitcode(code) if pid == main else status
        elif time.monotonic() > end:
            stopped = True
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(main, signal.SIGKILL)
            time.sleep(_STEP)
        else:
            time.sleep(_STEP)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
