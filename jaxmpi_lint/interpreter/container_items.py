"""The items of containers, in an order that may differ between ranks, or guessed where they are not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import arrays, lengths, operations, variations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import MISSING, Instance, Value

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
    """The items of a set; the order of texts and of objects without a hash by value differs between processes."""
    found = unordered(items)
    of_own_order = sum(map(_has_own_hash, found))
    return found[::-1] if of_own_order > 1 and variations.is_reversed(rank, "hash", items) else found


def unordered(items: Iterable[Value]) -> list[Value]:
    """The items of a set in an order that is the same on all ranks."""
    return sorted(items, key=lambda item: repr(freeze(item)))


def _has_own_hash(item: Value) -> bool:
    """Whether the hash of a value differs between processes: that of texts, of what holds some, of an address."""
    if isinstance(item, (tuple, frozenset)):
        return any(map(_has_own_hash, item))
    if isinstance(item, Instance) and not item.cls.is_enumeration:
        by_value = item.cls.is_hashed_by_value
        return any(map(_has_own_hash, item.fields.values())) if by_value else item.cls.find("__hash__") is MISSING
    return isinstance(item, (str, bytes)) or (isinstance(item, Symbol) and item.kind == "str")


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
    kind = _kind_of_items(symbol)
    return [rank.symbol("item", symbol, position, kind=kind) for position in range(count)]


def _kind_of_items(symbol: Symbol) -> str:
    """The type of the items of a part of a known list."""
    match symbol.key:
        case (("str", "part"), ("list" | "tuple", *known), _) if known:
            kinds = {one[0] if isinstance(one, tuple) else None for one in known}
            return str(next(iter(kinds))) if kinds in ({"str"}, {"int"}, {"float"}) else ""
    return ""
