"""Calls of the methods that make the texts of objects, as `print` and logs do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import calls, shown_objects
from jaxmpi_lint.interpreter.values import Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def show(rank: Rank, values: tuple[Value, ...]) -> Running:
    """Make the texts of the objects among some values."""
    for value in values:
        method = shown_objects.method_of(rank, value)
        if method is not None:
            yield from calls.call(rank, method, (value,), {}, rank.state["span"])
