"""Two hosts for a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .hosts import Host, hosts, missing


@pytest.fixture
def two(request: pytest.FixtureRequest) -> Iterator[tuple[Host, dict[str, str]]]:
    """The first of two hosts, and the variables for launchers; as a parameter, whether each has its own /tmp."""
    if why := missing():
        pytest.skip(f"needs hosts made from namespaces: {why}")
    with hosts(2, own_tmp=getattr(request, "param", False)) as (made, variables):
        yield made[0], dict(variables)
