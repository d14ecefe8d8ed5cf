"""Descriptions share their parts: walks over them visit each symbol once, however often it is used."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jaxmpi_lint.interpreter import differences, own_lengths, symbols
from jaxmpi_lint.interpreter.arrays import unknown
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols

DEPTH = 18  # 2 ** 18 visits if the sum of a symbol with itself is followed twice


def doubled(table: Symbols, first: Symbol) -> Symbol:
    """A symbol that is added to itself, again and again."""
    for _ in range(DEPTH):
        first = table.make("operation", "+", first, first)
    return first


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Callable[[], int]:
    """How often a function is called from now on."""
    calls: list[object] = []
    original = getattr(module, name)

    def counting(*arguments: object) -> object:
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(module, name, counting)
    return lambda: len(calls)


def test_words(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, symbols, "_collect_words")
    table = Symbols()
    last = doubled(table, table.make("first"))
    before = count()
    assert "first" in last.words(DEPTH)
    assert count() - before <= 20 * DEPTH


def test_reachable() -> None:
    table = Symbols()
    last = doubled(table, table.make("first"))
    assert len(symbols.reachable(last)) == DEPTH + 1


def test_selection(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, own_lengths, "_selection_by")
    table = Symbols()
    last = doubled(table, table.make("first"))
    assert own_lengths.selected_by(unknown(last).freeze(4)) is None
    assert count() == DEPTH + 1


def test_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, differences, "_symbols")
    table = Symbols()
    one, other = (doubled(table, table.make("random", "seed", number)) for number in (1, 2))
    assert differences.surely_differ(one, other)
    assert count() == DEPTH + 1
