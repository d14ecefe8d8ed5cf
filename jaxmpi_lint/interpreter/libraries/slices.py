"""Slices as objects: ``slice(first, last)``, ``numpy.s_[first:last]``, and their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _slice(rank: Rank, arguments: Arguments) -> Value:
    """``slice(upper)`` or ``slice(lower, upper, step)``."""
    given = arguments.values
    if not 1 <= len(given) <= 3:
        raise fail("TypeError")
    lower, upper, step = (None, given[0], None) if len(given) == 1 else (*given, None)[:3]
    return SliceValue(lower, upper, step)


def _indices(rank: Rank, made: SliceValue, arguments: Arguments) -> Value:
    """``made.indices(length)``: start, stop and step as numbers."""
    length = arguments.get(0)
    if made.is_plain and isinstance(length, int):
        if length < 0 or made.step == 0:
            raise fail("ValueError")
        return made.python().indices(length)
    return tuple(rank.symbol("item", rank.symbol("bounds", made, length), at, kind="int") for at in range(3))


def _is_slice(rank: Rank, value: Value) -> bool | None:
    return None if isinstance(value, Symbol) else isinstance(value, SliceValue)


class IndexMaker(Modelled):
    """`numpy.s_` and `numpy.index_exp`, which returns a tuple always."""

    __slots__ = ("is_tuple",)
    type_name = "index maker"

    def __init__(self, is_tuple: bool) -> None:
        self.is_tuple = is_tuple

    def freeze(self, _depth: int) -> object:
        """Which one it is."""
        return "index maker", self.is_tuple

    def item(self, rank: Rank, index: Value) -> Value:
        """The index itself."""
        return (index,) if self.is_tuple and not isinstance(index, tuple) else index


FUNCTIONS: dict[str, Handler] = {
    "builtins.slice": _slice,
    "builtins.slice:isinstance": _is_slice,
    "slice.start:attribute": lambda rank, made: made.lower,
    "slice.stop:attribute": lambda rank, made: made.upper,
    "slice.step:attribute": lambda rank, made: made.step,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {"slice": {"indices": _indices}}
CONSTANTS: dict[str, Callable[[Any], Value]] = {
    "numpy.s_": lambda rank: IndexMaker(is_tuple=False),
    "numpy.index_exp": lambda rank: IndexMaker(is_tuple=True),
}
TYPES: dict[type, str] = {SliceValue: "slice"}
