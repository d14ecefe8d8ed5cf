"""Which tests divide the processes of which communicators."""

from __future__ import annotations

from dataclasses import replace

import pytest
from condition_programs import function_of

from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.lattice.lattice import ANY_GROUP, PROCESSES, WORLD, Communicator, Uniformity
from jaxmpi_lint.library.levels import Level, Source

PLAIN = function_of("pass")
CONNECTING = function_of("pass", header="import jax\n\njax.distributed.initialize(cluster_detection_method='mpi4py')\n")

COMMUNICATORS = {
    "world": Communicator("w", frozenset({WORLD})),
    "part": Communicator("p", frozenset({"part"}), frozenset({WORLD})),
    "either": Communicator("e", frozenset({"one", "other"})),
    "self": Communicator("s", frozenset()),
    "jax": Communicator(PROCESSES, frozenset({PROCESSES})),
}


def value(level: Level, *groups: str, source: Source | None = None) -> Uniformity:
    plain = Uniformity(level, frozenset(groups))
    return plain.because(PLAIN.module, (0, 1), "it differs", source) if source is not None else plain


TESTS = {
    "rank": value(Level.RANK, WORLD),
    "rank in part": value(Level.RANK, "part"),
    "rank in one": value(Level.RANK, "one"),
    "rank in both": value(Level.RANK, "one", "other", "third"),
    "configured rank": value(Level.RANK, ANY_GROUP),
    "process index": value(Level.RANK, PROCESSES),
    "local": value(Level.LOCAL),
    "scattered in part": value(Level.LOCAL, "part"),
    "host": value(Level.LOCAL, source=Source.MACHINE),
    "host, configured": value(Level.LOCAL, ANY_GROUP, source=Source.MACHINE),
    "clock": value(Level.LOCAL, source=Source.CLOCK),
    "uniform": value(Level.UNIFORM),
    "unknown": value(Level.UNKNOWN),
    "order": value(Level.ORDER),
}

DIVIDED: dict[str, set[str]] = {
    "rank": {"world"},
    "rank in part": {"part"},
    "rank in one": set(),
    "rank in both": {"either"},
    "configured rank": {"world", "part", "either", "jax"},
    "process index": {"jax"},
    "local": {"world", "part", "either", "jax"},
    "scattered in part": {"part"},
    "host": {"world", "either", "jax"},
    "host, configured": {"world", "either", "jax"},
    "clock": {"world", "part", "either", "jax"},
    "uniform": set(),
    "unknown": set(),
    "order": set(),
}
BY_RANK: dict[str, set[str]] = {
    "rank": {"world"},
    "rank in part": {"part"},
    "rank in both": {"either"},
    "process index": {"jax"},
}


@pytest.mark.parametrize("name", TESTS)
def test_of_a_test(name: str) -> None:
    found = {other for other, communicator in COMMUNICATORS.items() if divides(PLAIN, TESTS[name], communicator)}
    assert found == DIVIDED[name]


@pytest.mark.parametrize("name", TESTS)
def test_of_a_value_that_is_used_as_it_is(name: str) -> None:
    test = TESTS[name]
    found = {other for other, communicator in COMMUNICATORS.items() if divides(PLAIN, test, communicator, by_rank=True)}
    assert found == BY_RANK.get(name, set())


@pytest.mark.parametrize("by_rank", [False, True])
def test_ranks_of_the_world_are_processes_of_jax_where_they_are_connected(by_rank: bool) -> None:
    assert CONNECTING.module_model.connects_processes and not PLAIN.module_model.connects_processes
    rank, jax = TESTS["rank"], COMMUNICATORS["jax"]
    assert divides(CONNECTING, rank, jax, by_rank)
    assert not divides(PLAIN, rank, jax, by_rank)
    assert not divides(CONNECTING, TESTS["rank in part"], jax, by_rank)
    assert not divides(CONNECTING, rank, COMMUNICATORS["part"], by_rank)
    assert not divides(CONNECTING, replace(rank, groups=frozenset({"third"})), jax, by_rank)
