"""Two hosts for tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .hosts import Host, hosts, missing

Hosts = tuple[Host, dict[str, str]]
"""The first of several hosts, and the variables with which launchers reach the others."""


def made(number: int, own_tmp: bool) -> Iterator[Hosts]:
    """So many hosts; it skips where none can be made."""
    if why := missing():
        pytest.skip(f"needs hosts made from namespaces: {why}")
    with hosts(number, own_tmp=own_tmp) as (found, variables):
        yield found[0], dict(variables)


@pytest.fixture
def two(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    """Two hosts; as a parameter, whether each has its own /tmp."""
    yield from made(2, getattr(request, "param", False))


@pytest.fixture(scope="module")
def two_for_all() -> Iterator[Hosts]:
    """Two hosts, each with its own /tmp, for all tests of a module."""
    yield from made(2, own_tmp=True)


@pytest.fixture(scope="module")
def two_with_links() -> Iterator[tuple[list[Host], dict[str, str]]]:
    """Two hosts, each with a network for MPI, eth0, and one for the sanitizer, eth1."""
    if why := missing():
        pytest.skip(f"needs hosts made from namespaces: {why}")
    with hosts(2, own_tmp=True, networks=2) as (found, variables):
        yield found, dict(variables)


@pytest.fixture
def five() -> Iterator[Hosts]:
    """Five hosts, each with its own /tmp."""
    yield from made(5, own_tmp=True)
