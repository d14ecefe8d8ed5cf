"""Builds the native tests, each flavour in a folder of its own, which is kept for the next time."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from sanitizer.environments import cannot_run

ROOT = Path(__file__).resolve().parent.parent.parent
FLAVOURS = {"plain": "", "address": "address,undefined", "thread": "thread"}  # and what the compiler then checks
COMPILERS = ("c++", "g++", "clang++")
MAKERS = ("ninja", "make")
MINUTES = 10


def tool(name: str) -> str | None:
    """A command of this environment, or one on PATH."""
    own = Path(sys.executable).with_name(name)
    return str(own) if own.exists() else shutil.which(name)


def need_tools() -> None:
    """Skips, or fails where runs are required, if the native side cannot be built here."""
    missing = []
    if tool("cmake") is None:
        missing.append("cmake")
    if not os.environ.get("CXX") and not any(map(shutil.which, COMPILERS)):
        missing.append("a C++ compiler")
    if not any(map(tool, MAKERS)):
        missing.append("ninja or make")
    if sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"}:
        missing.append("Linux on x86-64 or aarch64")
    if missing:
        cannot_run(f"the native tests need {' and '.join(missing)}")


def jobs() -> str:
    """As many at once as there are processors for us."""
    return str(len(os.sched_getaffinity(0)))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No other process of the tests builds in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def build(flavour: str, target: str) -> Path:
    """The folder in which the target has been built."""
    need_tools()
    folder = ROOT / "build" / f"native-{flavour}"
    with alone(folder):
        _build(folder, flavour, target)
    return folder


def _build(folder: Path, flavour: str, target: str) -> None:
    cmake, ninja = tool("cmake"), tool("ninja")
    assert cmake is not None
    configure = [cmake, "-S", str(ROOT), "-B", str(folder), f"-DPython_EXECUTABLE={sys.executable}"]
    configure += ["-DJAXMPI_NATIVE_TESTS=ON", f"-DJAXMPI_NATIVE_SANITIZE={FLAVOURS[flavour]}"]
    if ninja is not None and not (folder / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    checked(configure)
    checked([cmake, "--build", str(folder), "--target", target, "--parallel", jobs()])


def checked(command: list[str]) -> str:
    """What the command printed; fails with it if the command does."""
    run = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=MINUTES * 60, check=False
    )
    if run.returncode:
        pytest.fail(f"{' '.join(command)}\n{run.stdout}", pytrace=False)
    return run.stdout
