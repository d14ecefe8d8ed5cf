"""With how many processes a place is reached, and whether a test can part them at all."""

from __future__ import annotations

from collections.abc import Set

import pytest
from condition_programs import block_of, branch_of, function_of

from jaxmpi_lint.analysis.conditions.world_sizes import ANY_SIZE, may_part, possible_sizes

ALL = frozenset(range(1, 130))
PARAMETERS = "a, rows"


def test_any_size() -> None:
    assert ANY_SIZE == ALL


SIZES: list[tuple[str, Set[int]]] = [
    ("g()", ALL),
    ("if size == 4:\n    g()", {4}),
    ("if size != 4:\n    g()", ALL - {4}),
    ("if size > 1:\n    g()", ALL - {1}),
    ("if size == 1:\n    return\ng()", ALL - {1}),
    ("if not size == 2:\n    raise ValueError\ng()", {2}),
    ("assert comm.size == 3\ng()", {3}),
    ("if size % 2:\n    g()", set(range(1, 130, 2))),
    ("if size < 4 and size != 2:\n    g()", {1, 3}),
    ("if size < 4:\n    if size > 1:\n        g()", {2, 3}),
    ("if size == 2 or size == 5:\n    g()", {2, 5}),
    ("if size == 2 and a:\n    g()", {2}),
    ("if size == 2 or a:\n    g()", ALL),
    ("if a:\n    g()", ALL),
    ("if rank == size - 1:\n    g()", ALL),
    ("if size > 1000:\n    g()", ALL),
    ("part = comm.Split(rank)\nif part.size == 2:\n    g()", ALL),
    ("while a:\n    if size == 2:\n        g()\n    a = h()", {2}),
    ("while a:\n    a = h()\n    if size == 2:\n        return\n    g()", ALL - {2}),
    ("while a:\n    g()\n    a = h()\n    if size == 2:\n        return", ALL),
    ("if 4:\n    g()", ALL),
]


@pytest.mark.parametrize(("body", "sizes"), SIZES)
def test_possible_sizes(body: str, sizes: Set[int]) -> None:
    function = function_of(body, PARAMETERS)
    assert possible_sizes(function, block_of(function, "g")) == sizes


def test_a_run_that_calls_start_with_fewer_sizes() -> None:
    function = function_of("if size > 2:\n    g()").run_with({}, frozenset({2, 3, 4}), {})
    assert possible_sizes(function, block_of(function, "g")) == {3, 4}


PARTING: list[tuple[str, bool]] = [
    ("if rank == 0:", True),
    ("assert size == 1\nif rank == 0:", False),
    ("assert size == 2\nif rank == 0:", True),
    ("assert size == 2\nif rank >= 0:", False),
    ("assert size == 2\nif rank < 2:", False),
    ("assert size == 3\nif rank < 2:", True),
    ("assert size <= 3\nif rank == 3:", False),
    ("assert size <= 4\nif rank == 3:", True),
    ("assert size <= 2\nif a:", True),
    ("assert size <= 16\nif rank >= 0:", False),
    ("assert size <= 17\nif rank >= 0:", True),
    ("assert size == 1\nif a:", False),
    ("assert size == 4\nif size == 4:", False),
]


@pytest.mark.parametrize(("text", "parts"), PARTING)
def test_may_part(text: str, parts: bool) -> None:
    function = function_of(f"{text}\n    g()", PARAMETERS)
    block, branch = branch_of(function, text.count("\n"))
    assert may_part(function, block, branch.test) is parts
