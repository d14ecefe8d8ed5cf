"""Calls of the methods that make the texts of objects, as `print` and logs do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import calls, shown_objects
from jaxmpi_lint.interpreter.values import Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


_CONVERSION = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?([a-zA-Z])")


def show(rank: Rank, values: Sequence[Value], methods: tuple[str, ...] = shown_objects.TEXT) -> Running:
    """Make the texts of the objects among some values."""
    for value in values:
        method = shown_objects.method_of(rank, value, methods)
        if method is not None:
            yield from calls.call(rank, method, (value,), {}, rank.state["span"])


def show_message(rank: Rank, message: Value, values: Sequence[Value]) -> Running:
    """Make the texts in a message of a log: those that its conversions ask for, ``%s`` or ``%r``."""
    yield from show(rank, [message])
    found = _CONVERSION.findall(message) if isinstance(message, str) else []
    for value, conversion in zip(values, found, strict=False):
        if conversion in "sra":
            yield from show(rank, [value], shown_objects.TEXT if conversion == "s" else shown_objects.REPRESENTATION)
