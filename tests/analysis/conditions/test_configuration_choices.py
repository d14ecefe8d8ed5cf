"""What settings have to say for a place to be reached, and which places exclude each other."""

from __future__ import annotations

import pytest
from condition_programs import block_of, branch_of, function_of

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.configuration_choices import Outcome, choices, choices_of_call, exclude, settles

PARAMETERS = "debug, mode, level, rows, n"

PLACES: list[tuple[str, set[Outcome]]] = [
    ("if debug:\n    g()", {("debug", "", True)}),
    ("if not debug:\n    g()", {("debug", "", False)}),
    ("if not not debug:\n    g()", {("debug", "", True)}),
    ("if debug:\n    h()\nelse:\n    g()", {("debug", "", False)}),
    ("if debug:\n    return\ng()", {("debug", "", False)}),
    ("if mode == 'fast':\n    g()", {("mode", "'fast'", True)}),
    ("if mode != 'fast':\n    g()", {("mode", "'fast'", False)}),
    ("if not mode == 'fast':\n    g()", {("mode", "'fast'", False)}),
    ("if mode == level:\n    g()", {("mode == level", "", True)}),
    ("if mode != level:\n    g()", {("mode == level", "", False)}),
    ("if mode is None:\n    g()", {("mode is None", "", True)}),
    ("if mode is not None:\n    g()", {("mode is None", "", False)}),
    ("if level > 2:\n    g()", {("level > 2", "", True)}),
    ("if level <= 2:\n    g()", {("level > 2", "", False)}),
    ("if debug:\n    if mode == 1:\n        g()", {("debug", "", True), ("mode", "1", True)}),
    ("if debug and mode:\n    g()", {("debug and mode", "", True)}),
    ("if rank == 0:\n    g()", set()),
    ("if debug:\n    h()\ng()", set()),
    ("debug = other()\nif debug:\n    g()", set()),
    ("for n in rows:\n    if debug:\n        h()\n    g()", set()),
    ("for n in rows:\n    if debug:\n        continue\n    g()", {("debug", "", False)}),
    ("if g2():\n    g()", set()),
]


@pytest.mark.parametrize(("body", "expected"), PLACES)
def test_choices(body: str, expected: set[Outcome]) -> None:
    function = function_of(body, PARAMETERS)
    assert choices(function, block_of(function, "g")) == expected


EXCLUDING: list[tuple[Outcome, Outcome, bool]] = [
    (("a", "", True), ("a", "", False), True),
    (("a", "", False), ("a", "", True), True),
    (("a", "", True), ("a", "", True), False),
    (("a", "", False), ("a", "", False), False),
    (("a", "", True), ("b", "", False), False),
    (("a", "1", True), ("a", "2", True), True),
    (("a", "1", True), ("a", "2", False), False),
    (("a", "1", False), ("a", "2", True), False),
    (("a", "1", False), ("a", "2", False), False),
    (("a", "1", True), ("a", "1", False), True),
    (("a", "1", True), ("a", "1", True), False),
    (("a", "1", True), ("b", "2", True), False),
]


@pytest.mark.parametrize(("one", "other", "excluded"), EXCLUDING)
def test_exclude(one: Outcome, other: Outcome, excluded: bool) -> None:
    beside: Outcome = ("z", "", True)
    assert exclude(frozenset({one}), frozenset({other})) is excluded
    assert exclude(frozenset({one, beside}), frozenset({beside, other})) is excluded
    assert not exclude(frozenset({one}), frozenset())


SETTLED: list[tuple[Outcome, str, bool | None]] = [
    (("debug", "", True), "debug", True),
    (("debug", "", False), "debug", False),
    (("debug", "", True), "not debug", False),
    (("debug", "", False), "not debug", True),
    (("debug", "", True), "mode", None),
    (("mode", "'a'", True), "mode == 'a'", True),
    (("mode", "'a'", False), "mode == 'a'", False),
    (("mode", "'a'", True), "mode != 'a'", False),
    (("mode", "'a'", True), "mode == 'b'", False),
    (("mode", "'a'", True), "mode != 'b'", True),
    (("mode", "'a'", False), "mode == 'b'", None),
    (("mode", "'a'", True), "mode", None),
    (("mode", "", True), "mode == 'a'", None),
    (("level > 2", "", True), "level <= 2", False),
    (("level > 2", "", False), "level <= 2", True),
    (("debug and mode", "", True), "debug and mode", True),
]


@pytest.mark.parametrize(("chosen", "test", "outcome"), SETTLED)
def test_settles(chosen: Outcome, test: str, outcome: bool | None) -> None:
    function = function_of(f"if {test}:\n    g()", PARAMETERS)
    branch = branch_of(function)[1]
    assert settles(function, frozenset({chosen}), branch.test) is outcome
    assert settles(function, frozenset(), branch.test) is None


CALLS: list[tuple[str, set[Outcome]]] = [
    ("run(comm if debug else None)", {("debug", "", True)}),
    ("run(None if debug else comm)", {("debug", "", False)}),
    ("run(comm if not debug else None)", {("debug", "", False)}),
    ("run(1, c=comm if mode == 1 else None)", {("mode", "1", True)}),
    ("run(comm if debug else other)", set()),
    ("run(None if debug else None)", set()),
    ("run(comm if g() else None)", set()),
    ("run(comm)", set()),
    ("run(comm if debug else None, comm if mode else None)", {("debug", "", True), ("mode", "", True)}),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_choices_of_a_call(text: str, expected: set[Outcome]) -> None:
    function = function_of(f"run(comm if level else None)\n{text}", PARAMETERS)
    calls = [call for call in function.ir.calls() if function.module.source(call.span) == text]
    assert isinstance(calls[-1], ir.Call)
    assert choices_of_call(function, calls[-1].span) == expected
