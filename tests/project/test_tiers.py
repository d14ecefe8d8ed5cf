"""The tiers of the tests: each test has one, and a unit test cannot start a process, however it tries."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from tiers import Durations, TwoTiers, tier_of

IDLE = [sys.executable, "-c", ""]


def forked(fork: Callable[[], int]) -> None:
    """Fork; the child, should there be one, ends at once."""
    if fork() == 0:
        os._exit(0)


def by_multiprocessing(method: str) -> None:
    context: Any = multiprocessing.get_context(method)
    context.Process(target=print).start()


async def by_asyncio() -> None:
    await asyncio.create_subprocess_exec(*IDLE)


def by_a_pool() -> None:
    with ProcessPoolExecutor(1) as pool:
        pool.submit(print).result()


STARTS: dict[str, Callable[[], object]] = {
    "Popen": lambda: subprocess.Popen(IDLE),
    "Popen in another folder": lambda: subprocess.Popen(IDLE, cwd="/"),
    "Popen that may use posix_spawn": lambda: subprocess.Popen(IDLE, close_fds=False),
    "run": lambda: subprocess.run(IDLE, check=False),
    "os.fork": lambda: forked(os.fork),
    "os.forkpty": lambda: forked(lambda: os.forkpty()[0]),
    "pty.fork": lambda: forked(lambda: pty.fork()[0]),
    "os.posix_spawn": lambda: os.posix_spawn(sys.executable, IDLE, os.environ),
    "os.posix_spawnp": lambda: os.posix_spawnp(sys.executable, IDLE, os.environ),
    "os.spawnv": lambda: os.spawnv(os.P_WAIT, sys.executable, IDLE),
    "os.system": lambda: os.system("true"),
    "os.popen": lambda: os.popen("true"),
    "asyncio": lambda: asyncio.run(by_asyncio()),
    "fork of multiprocessing": lambda: by_multiprocessing("fork"),
    "spawn of multiprocessing": lambda: by_multiprocessing("spawn"),
    "forkserver of multiprocessing": lambda: by_multiprocessing("forkserver"),
    "a pool": by_a_pool,
}


@pytest.mark.parametrize("name", STARTS)
def test_a_unit_test_that_starts_a_process_fails_and_is_told_what_to_do(name: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"starts no process.*: mark it with @pytest.mark.jobs"):
        STARTS[name]()


@pytest.mark.jobs
@pytest.mark.parametrize("name", ["run", "os.system", "fork of multiprocessing"])
def test_other_tests_may(name: str) -> None:
    STARTS[name]()


@pytest.mark.parametrize(
    ("marks", "folder", "fixtures", "tier"),
    [
        ((), "rules", ("tmp_path",), "unit"),
        ((), "test_testing.py", (), "unit"),
        ((), "native", (), "native"),
        (("parametrize",), "sanitizer", (), "unit"),
        (("runs_mpi",), "sanitizer", (), "jobs"),
        (("runs_jax", "runs_mpi"), "launches", (), "jobs"),
        ((), "xla", ("compiled",), "jobs"),
        ((), "collectives", ("mpi",), "jobs"),
        (("types",), "project", (), "types"),
        (("native",), "sanitizer", (), "native"),
        (("runs_mpi", "soak"), "sanitizer", (), "soak"),
        (("soak",), "native", (), "soak"),
    ],
)
def test_a_test_is_a_unit_test_unless_something_says_otherwise(
    marks: tuple[str, ...], folder: str, fixtures: tuple[str, ...], tier: str
) -> None:
    assert tier_of(marks, folder, fixtures) == tier


def test_two_tiers_are_an_error() -> None:
    with pytest.raises(TwoTiers, match="the tiers jobs and soak"):
        tier_of(("soak", "jobs"), "rules", ())


def test_durations_are_added_up() -> None:
    durations = Durations()
    for number in range(60):
        tier = "unit" if number % 2 else "jobs"
        durations.add(f"test_{number}", tier, 0.5)
        durations.add(f"test_{number}", tier, number)
    assert durations.totals() == {"unit": (30, 915.0), "jobs": (30, 885.0)}


# --- a whole run ---------------------------------------------------------------------------------------------------

COPIED = ("pyproject.toml", "tests/conftest.py", "tests/tiers.py", "tests/places.py", "tests/sanitizer/environments.py")
SAMPLE = """
import subprocess, sys

import pytest


def start():
    subprocess.run([sys.executable, "-c", ""], check=True)


@pytest.fixture(scope="module")
def started():
    start()


def test_plain(): ...


def test_starts(): start()


def test_is_started(started): ...


@pytest.mark.jobs
def test_job(): start()


@pytest.mark.runs_mpi
def test_ranks(): start()


@pytest.mark.soak
def test_soak(): start()
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project with these tiers and six tests, two of which start a process though they should not."""
    for name in COPIED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "tests" / "sanitizer" / "__init__.py").touch()
    (tmp_path / "tests" / "test_sample.py").write_text(SAMPLE)
    return tmp_path


def printed_by(tree: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=120, check=False
    ).stdout


@pytest.mark.jobs
@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ((), "1 failed, 3 passed, 1 deselected, 1 error"),
        (("-m", "unit"), "1 failed, 1 passed, 3 deselected, 1 error"),
        (("-m", "jobs"), "2 passed, 4 deselected"),
        (("-m", "soak"), "1 passed, 5 deselected"),
        (("-m", "ranks and not soak"), "1 passed, 5 deselected"),
        (("-n", "2", "-m", "not (ranks or soak)"), "1 failed, 2 passed, 1 error"),
    ],
)
def test_each_part_runs_its_tests(tree: Path, options: tuple[str, ...], counts: str) -> None:
    printed = printed_by(tree, *options)
    assert counts in printed
    refusals = printed.count("mark it with @pytest.mark.jobs")
    assert refusals >= 2 if "failed" in counts else refusals == 0
