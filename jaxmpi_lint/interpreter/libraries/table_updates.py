"""Dicts that are made of other mappings, or of pairs of keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import attributes, derived, open_tables, operations
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import MISSING, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def update(rank: Rank, table: dict[Any, Value], given: Value) -> Running:
    """Update a dict by a dict, an object of the project that is a mapping, or pairs of keys and values."""
    given = derived.base_of(given)
    keys = attributes.special(given, "keys")
    if isinstance(given, dict):
        table.update(given)
    elif isinstance(given, Symbol):
        open_tables.update(rank, table, given)
    elif keys is not MISSING:
        span = rank.state["span"]
        for key in (yield from elements(rank, (yield from rank.call(keys, (given,), {}, span)))):
            value = yield from rank.call(given.cls.find("__getitem__"), (given, key), {}, span)
            table[operations.hashable(rank, key)] = value
    else:
        _update_by_pairs(rank, table, (yield from elements(rank, given)))


def _update_by_pairs(rank: Rank, table: dict[Any, Value], pairs: list[Value]) -> None:
    are_known = not isinstance(pairs, GuessedList)
    if are_known and all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        table.update((operations.hashable(rank, key), value) for key, value in pairs)
    else:
        open_tables.update(rank, table, rank.symbol("entries", *pairs))
