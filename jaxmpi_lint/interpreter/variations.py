"""What one process may do otherwise than the others: fail, or meet items in a different order.

At most one rank departs from the usual course, at one place of the program: more would only add worlds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol, Unordered
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

PLACE_OF_ORDER = "place of the order"
"""The note of a world in which a rank meets items in a different order: the property that it depends on, and where."""

FAILS = "fails"
_ORDER = "order"


def departs(rank: Rank, symbol: Symbol) -> bool:
    """Whether this is the departure of the world; decided for the symbol, by default it is not."""
    notes = rank.world.notes
    if notes.get("departure") is not None:
        return notes["departure"] is symbol
    if not rank.truth(rank.symbol("operation", "is", symbol, None, kind="bool")):
        return False
    notes["departure"] = symbol
    return True


def fails(rank: Rank, function: str, *key: object) -> bool:
    """Whether an operation on files fails on this rank, the first time that it comes here."""
    symbol = rank.symbol("own", "files", rank.number, FAILS, function, *key, own=("files",))
    return rank.serial(symbol) == 0 and departs(rank, symbol)


def fails_alike(rank: Rank, function: str, operands: tuple[Value, ...]) -> bool:
    """Whether a computation fails: alike on ranks whose operands are equal."""
    return departs(rank, rank.symbol(FAILS, function, *operands))


def is_reversed(rank: Rank, tag: str, container: Value) -> bool:
    """Whether this rank meets the items of a container without order the other way round."""
    key = Unordered(container) if isinstance(container, (set, frozenset)) else container
    if not departs(rank, rank.symbol("own", tag, rank.number, _ORDER, key, own=(tag,))):
        return False
    rank.world.notes.setdefault(PLACE_OF_ORDER, (tag, rank.place(rank.state["span"])))
    return True


def is_failure(departure: Value) -> bool:
    """Whether the departure of a world is a failure."""
    return isinstance(departure, Symbol) and ("str", FAILS) in departure.key
