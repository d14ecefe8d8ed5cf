"""The items of containers, in an order that may differ between ranks, or guessed where they are not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import arrays, lengths, operations, variations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def ordered(rank: Rank, iterable: Value) -> Sequence[Value]:
    """The items of a container of Python."""
    if isinstance(iterable, GuessedList):
        rank.asked.append((rank.symbol("guessed", len(iterable)), True))
    if isinstance(iterable, (set, frozenset)):
        return _of_set(rank, iterable)
    return iterable if isinstance(iterable, range) else list(iterable)


def _of_set(rank: Rank, items: set[Value] | frozenset[Value]) -> list[Value]:
    """The items of a set; the order of texts differs between processes."""
    found = sorted(items, key=lambda item: repr(freeze(item)))
    texts = sum(isinstance(item, (str, bytes)) for item in found)
    return found[::-1] if texts > 1 and variations.is_reversed(rank, "hash", items) else found


def rows(rank: Rank, array: Array) -> list[Value]:
    """The elements along the first axis of an array; a scalar one fails."""
    if array.shape is None:
        return guess(rank, rank.symbol("items", array))
    if not array.shape:
        raise fail("TypeError")
    return [arrays.item(rank, array, position) for position in range(min(array.shape[0], operations.MAX_TEXT))]


def guess(rank: Rank, symbol: Symbol) -> list[Value]:
    """Items of a container that is not known; their number is decided for the whole world."""
    number = lengths.stated(symbol)
    if number is not None:
        return [rank.symbol("item", symbol, position) for position in range(number)]
    known = lengths.items(symbol, lambda container: rank.world.decisions.length_of(container, rank))
    if known is not None:
        rank.asked.append((symbol, bool(known)))
        return list(known)
    count = rank.world.choose(symbol, rank)
    rank.asked.append((symbol, bool(count)))
    return [rank.symbol("item", symbol, position) for position in range(count)]
