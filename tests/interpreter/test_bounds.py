"""Choices about comparisons of one value: how many are kept, and what follows from them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols

RANK = cast("Any", SimpleNamespace(number=0, turn=(0, 0, 0), frames=[]))


def _above(symbols: Symbols, value: Symbol, bound: int) -> Symbol:
    return symbols.make("operation", ">", value, bound, kind="bool")


def test_only_the_closest_bound_is_kept() -> None:
    """A loop that counts up in steps to an unknown number compares it with every step before."""
    symbols, decisions = Symbols(), Decisions()
    value = symbols.make("option", "tasks", kind="int")
    for bound in range(0, 400, 2):
        assert decisions.outcome(_above(symbols, value, bound), RANK)
    assert decisions.compared[value] == [(">", 398, True)]


def test_a_count_ends_after_a_few_numbers() -> None:
    """What has exceeded four numbers in a row does not exceed the fifth, unless it must."""
    symbols, decisions = Symbols(), Decisions()
    value = symbols.make("option", "tasks", kind="int")
    assert [decisions.outcome(_above(symbols, value, bound), RANK) for bound in range(6)] == [True] * 4 + [False] * 2
    decisions = Decisions({("test", ">", value, ("int", 50)): True})
    assert decisions.outcome(_above(symbols, value, 50), RANK)
    assert all(decisions.outcome(_above(symbols, value, bound), RANK) for bound in range(6))


def test_a_bound_decides_weaker_comparisons() -> None:
    """What is above 50 is above 20, and what is not above 60 is not above 70."""
    symbols = Symbols()
    value = symbols.make("option", "tasks", kind="int")
    decisions = Decisions({("test", ">", value, ("int", 60)): False})
    assert decisions.outcome(_above(symbols, value, 50), RANK)
    assert not decisions.outcome(_above(symbols, value, 60), RANK)
    assert decisions.outcome(_above(symbols, value, 20), RANK)
    assert not decisions.outcome(_above(symbols, value, 70), RANK)
    assert len(decisions.compared[value]) == 2
