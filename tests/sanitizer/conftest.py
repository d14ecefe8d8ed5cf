"""The MPI environments that the programs run in."""

from __future__ import annotations

import os

import pytest

from .environments import LIBRARIES, Environment, environments


@pytest.fixture(params=LIBRARIES)
def mpi(request: pytest.FixtureRequest) -> Environment:
    """An environment for each MPI library."""
    return environment_of(request.param)


def environment_of(library: str) -> Environment:
    """The environment of the library; skips, or fails where runs are required, if there is none."""
    found = environments().get(library)
    if found is None:
        message = f"no environment with {library}: run `python tests/prepare.py`"
        if os.environ.get("JAXMPI_REQUIRE_RUNS"):
            pytest.fail(message)
        pytest.skip(message)
    return found
