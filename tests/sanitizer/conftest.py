"""The MPI environments that the programs run in."""

from __future__ import annotations

import zlib

import pytest

from .environments import LIBRARIES, Environment, cannot_run, environments


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


def environment_of(library: str) -> Environment:
    """The environment of the library; without one it skips, or fails where runs are required."""
    found = environments().get(library)
    if found is None:
        cannot_run(f"no environment with {library}: run `python tests/prepare.py`")
    return found
