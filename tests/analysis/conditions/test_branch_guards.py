"""The tests that decide whether a block is reached."""

from __future__ import annotations

import pytest
from condition_programs import block_of, function_of, text_of

from jaxmpi_lint.analysis.conditions.guards import exclude_each_other, guards, guards_of_all_ways

PARAMETERS = "a, b, rows"
Found = list[tuple[str, bool]]
BOTH: Found = [("rows", True), ("b", False)]

GUARDED: list[tuple[str, Found, Found]] = [
    ("g()", [], []),
    ("if a:\n    g()", [("a", True)], [("a", True)]),
    ("if a:\n    h()\nelse:\n    g()", [("a", False)], [("a", False)]),
    ("if a:\n    h()\ng()", [], []),
    ("if a:\n    return\ng()", [("a", False)], [("a", False)]),
    ("if not a:\n    raise ValueError\ng()", [("not a", False)], [("not a", False)]),
    ("if a:\n    if b:\n        g()", [("a", True), ("b", True)], [("a", True), ("b", True)]),
    ("if a:\n    h()\nelif b:\n    g()", [("a", False), ("b", True)], [("a", False), ("b", True)]),
    ("if a and b:\n    g()", [("a and b", True)], [("a and b", True)]),
    ("while a:\n    g()", [("a", True)], [("a", True)]),
    ("for a in rows:\n    if b:\n        break\n    g()", BOTH, BOTH),
    ("for a in rows:\n    g()\n    if a:\n        h()\n    if b:\n        break", BOTH, BOTH[:1]),
]


@pytest.mark.parametrize(("body", "found", "of_all_ways"), GUARDED)
def test_guards(body: str, found: Found, of_all_ways: Found) -> None:
    function = function_of(body, PARAMETERS)
    block = block_of(function, "g")
    assert sorted((text_of(function, g.branch.test), g.truth) for g in guards(function, block)) == sorted(found)
    assert guards(function, block) is guards(function, block)
    all_ways = [(text_of(function, g.branch.test), g.truth) for g in guards_of_all_ways(function, block)]
    assert sorted(all_ways) == sorted(of_all_ways)


FACTS: list[tuple[str, tuple[int, bool] | None]] = [
    ("if rank == 2:\n    g()", (2, True)),
    ("if rank == 2:\n    h()\nelse:\n    g()", (2, False)),
    ("if rank != 0:\n    return\ng()", (0, True)),
    ("if not rank:\n    g()", (0, True)),
    ("if rank > 3:\n    g()", None),
    ("if a:\n    g()", None),
]


@pytest.mark.parametrize(("body", "fact"), FACTS)
def test_facts(body: str, fact: tuple[int, bool] | None) -> None:
    function = function_of(body, PARAMETERS)
    (guard,) = guards(function, block_of(function, "g"))
    assert (None if guard.fact is None else (guard.fact.number, guard.fact.equal)) == fact
    env = function.flow.environment_before(guard.block, None)
    assert guard.test == function.value(guard.branch.test, env)


ROLES: list[tuple[str, bool]] = [
    ("rank == 0", True),
    ("number", True),
    ("a", False),
    ("is_root", True),
    ("self.is_master()", True),
    ("isworker", True),
    ("x.rank0", True),
    ("MAIN", True),
    ("me == b", True),
    ("process_index == 0", True),
    ("rooted", False),
    ("some", False),
    ("domain", False),
    ("mainly", False),
    ("memory", False),
    ("args.leader", True),
    ("coordinator_address is None", True),
]


@pytest.mark.parametrize(("test", "by_role"), ROLES)
def test_roles(test: str, by_role: bool) -> None:
    function = function_of(f"number = comm.rank % 2\nif {test}:\n    g()", "a, b, self, x, args")
    (guard,) = guards(function, block_of(function, "g"))
    assert guard.by_role is by_role


EXCLUDING: list[tuple[str, bool]] = [
    ("if a:\n    g()\nelse:\n    h()", True),
    ("if a:\n    h()\nelse:\n    g()", True),
    ("if a:\n    g()\n    return\nh()", True),
    ("if a:\n    g()\nh()", False),
    ("if a:\n    g()\nif b:\n    h()", False),
    ("if a:\n    g()\n    h()", False),
    ("if a:\n    g()\n    if b:\n        h()", False),
    ("if a:\n    g()\nelif b:\n    h()", True),
    ("while b:\n    if a:\n        g()\n    else:\n        h()", True),
    ("g()\nif a:\n    h()", False),
]


@pytest.mark.parametrize(("body", "excluded"), EXCLUDING)
def test_exclude_each_other(body: str, excluded: bool) -> None:
    function = function_of(body, PARAMETERS)
    assert exclude_each_other(function, block_of(function, "g"), block_of(function, "h")) is excluded
