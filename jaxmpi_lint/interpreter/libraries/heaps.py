"""`heapq` and `bisect`: lists of known items that are kept as heaps, or sorted."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _function(function: Callable[..., Any]) -> Handler:
    """A function that keeps an order; the order of items that are not known could not be followed."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        if not arguments.values:
            raise fail("TypeError")
        heap, *items = arguments.values
        if not isinstance(heap, list):
            return rank.symbol("heap", function.__name__, *arguments.values)
        if isinstance(heap, GuessedList) or not all(map(operations.is_plain, (*heap, *items))):
            raise Cut("a heap of unknown items")
        if arguments.keywords:
            raise Cut("a sorted list with a key")
        try:
            return function(heap, *items)
        except IndexError:
            raise fail("IndexError") from None
        except TypeError:
            raise fail("TypeError") from None

    return call


_NAMES = ("heapify", "heappush", "heappop", "heappushpop", "heapreplace")
METHODS: dict[str, dict[str, Callable[..., Any]]] = {}
FUNCTIONS: dict[str, Handler] = {
    **{f"heapq.{name}": _function(getattr(heapq, name)) for name in _NAMES},
    **{f"bisect.{name}": _function(getattr(bisect, name)) for name in ("insort", "insort_left", "insort_right")},
}
