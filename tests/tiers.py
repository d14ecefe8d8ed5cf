"""The tiers of the tests: which one a test belongs to, what a unit test may not do, and what each tier takes."""

from __future__ import annotations

import _posixsubprocess
import os
import subprocess
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from types import ModuleType
from typing import NoReturn

import pytest

TIERS = ("unit", "native", "types", "jobs", "soak")
FOLDERS = {"native": "native"}  # folders of `tests`, and the tier of what has no marker there
STARTERS = frozenset({"runs_mpi", "runs_jax"})  # markers of tests that start MPI or JAX processes
STARTING_FIXTURES = frozenset({"mpi", "compiled"})  # these start processes, or their tests do

# Whatever starts a process reaches one of these: Popen and os.popen the first two, multiprocessing the second or
# os.fork, os.spawn* os.fork.
WAYS: tuple[tuple[ModuleType, str], ...] = (
    (subprocess, "_fork_exec"),
    (_posixsubprocess, "fork_exec"),
    (os, "fork"),
    (os, "forkpty"),
    (os, "posix_spawn"),
    (os, "posix_spawnp"),
    (os, "system"),
    (forkserver, "connect_to_new_process"),  # a server that runs already starts it in the end
)


class TwoTiers(Exception):
    """A test is marked with more than one tier."""


def tier_of(marks: Collection[str], folder: str, fixtures: Collection[str]) -> str:
    """The one tier of a test: the one it is marked with, else that of what it needs, of its folder, else `unit`."""
    marked = [tier for tier in TIERS if tier in marks]
    if len(marked) > 1:
        raise TwoTiers(f"marked with the tiers {' and '.join(marked)}: a test has one")
    if marked:
        return marked[0]
    if starts_ranks(marks, fixtures):
        return "jobs"
    return FOLDERS.get(folder, "unit")


def starts_ranks(marks: Collection[str], fixtures: Collection[str]) -> bool:
    """Whether a test starts MPI or JAX processes."""
    return not STARTERS.isdisjoint(marks) or not STARTING_FIXTURES.isdisjoint(fixtures)


@contextmanager
def no_process() -> Iterator[None]:
    """Refuse every start of a process; the failure names the remedy."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in WAYS:
            patch.setattr(module, name, _refusal(f"{module.__name__}.{name}"))
        yield


def _refusal(way: str) -> object:
    def refuse(*_: object, **__: object) -> NoReturn:
        pytest.fail(f"a unit test starts no process, and this one does (by {way}): mark it with @pytest.mark.jobs")

    return refuse


class Durations:
    """How long each test took: setup, call and teardown together."""

    def __init__(self) -> None:
        self._tiers: dict[str, str] = {}
        self._seconds: dict[str, float] = {}

    def add(self, test: str, tier: str, seconds: float) -> None:
        """Count one phase of a test."""
        self._tiers[test] = tier
        self._seconds[test] = self._seconds.get(test, 0.0) + seconds

    def totals(self) -> dict[str, tuple[int, float]]:
        """For each tier that ran the number of tests and their seconds."""
        tests = {tier: [test for test in self._seconds if self._tiers[test] == tier] for tier in TIERS}
        return {
            tier: (len(names), sum(self._seconds[name] for name in names)) for tier, names in tests.items() if names
        }
