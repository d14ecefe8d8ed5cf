"""Gives each test its tier and the MPI library it runs on, and keeps unit tests from starting processes."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import pytest
from places import TESTS
from sanitizer.environments import LIBRARIES, Environment, environment_of
from tiers import TIERS, Durations, TwoTiers, no_process, starts_ranks, tier_of

# Programs to lint; some are named like tests.
collect_ignore = ["fixtures", "idioms", "pairs", "right_programs", "traces"]

TIER = pytest.StashKey[str]()
PROPERTY = "tier"  # of a report
SHARE = 16  # every sixteenth parameter of the tests that take longest is tested by default


@pytest.fixture
def mpi(request: pytest.FixtureRequest) -> Environment:
    """The environment of an MPI library."""
    return environment_of(request.param)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that use ``mpi`` run on one library by default and on the other as soak; which one depends on the name."""
    if "mpi" not in metafunc.fixturenames:
        return
    first = zlib.crc32(metafunc.function.__name__.encode()) % len(LIBRARIES)
    order = LIBRARIES[first:] + LIBRARIES[:first]
    marks: list[list[pytest.MarkDecorator]] = [[], *([pytest.mark.soak] for _ in order[1:])]
    chosen = [pytest.param(library, id=library, marks=mark) for library, mark in zip(order, marks, strict=True)]
    metafunc.parametrize("mpi", chosen, indirect=True)


def pytest_configure(config: pytest.Config) -> None:
    """Measure the tests; what they start prints as wide as it is, also where pytest-xdist has set a width."""
    os.environ.pop("COLUMNS", None)
    config.pluginmanager.register(Measuring())


def left_for_soak(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Fifteen of sixteen parameters of each test that starts ranks or runs benchmarks: soak alone runs all of them."""
    seen: Counter[tuple[Path, str]] = Counter()
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if not isinstance(item, pytest.Function) or not hasattr(item, "callspec") or "soak" in marks:
            continue
        if starts_ranks(marks, item.fixturenames) or item.path.is_relative_to(TESTS / "benchmarks"):
            place = item.path, item.originalname
            if seen[place] % SHARE:
                yield item
            seen[place] += 1


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its tier, and those that start ranks."""
    left = set(left_for_soak(items))
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if item in left:
            marks = marks.difference(TIERS) | {"soak"}
            item.add_marker(pytest.mark.soak)
        try:
            tier = tier_of(marks, item.path.relative_to(TESTS).parts[0], getattr(item, "fixturenames", ()))
        except TwoTiers as error:
            raise pytest.UsageError(f"{item.nodeid} is {error}") from None
        item.stash[TIER] = tier
        if tier not in marks:
            item.add_marker(tier)
        if starts_ranks(marks, getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.ranks)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A unit test and its fixtures start no process."""
    if item.stash[TIER] != "unit":
        return (yield)
    with no_process():
        return (yield)


class Measuring:
    """Prints what each tier took."""

    def __init__(self) -> None:
        self._durations = Durations()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note the tier: the report may be read in another process, which has no items."""
        report = yield
        report.user_properties.append((PROPERTY, item.stash[TIER]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of a test."""
        self._durations.add(report.nodeid, str(dict(report.user_properties)[PROPERTY]), report.duration)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line for each tier."""
        for tier, (tests, seconds) in self._durations.totals().items():
            terminalreporter.write_line(f"{tier}: {tests} tests, {seconds:.1f} s")
