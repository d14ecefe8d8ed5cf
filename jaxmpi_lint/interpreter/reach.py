"""The communicators and requests that a value holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jaxmpi_lint.interpreter.communicators import Communicator, Request
from jaxmpi_lint.interpreter.values import BoundMethod, FunctionValue, Instance, Method, Value
from jaxmpi_lint.interpreter.values import Iterator as Items
from jaxmpi_lint.interpreter.windows import Window, forget

MAX_VALUES = 200
_HOLDERS = (list, tuple, set, dict, Items, Instance, BoundMethod, Method, FunctionValue)


def communicators_in(values: Iterable[Value]) -> tuple[Communicator, ...]:
    """The communicators that a call with these values could use."""
    found = {value.identity: value for value in _reached(values) if isinstance(value, Communicator)}
    return tuple(found.values())


def release(values: Iterable[Value]) -> None:
    """Give up what is known of requests and windows that get into what is not followed: they may be completed there."""
    for value in _reached(values):
        if isinstance(value, Request):
            value.is_waited = True
            for use in value.uses:
                use.end()
            value.uses = []
        elif isinstance(value, Window):
            forget(value)


def _reached(values: Iterable[Value]) -> Iterator[Value]:
    seen: set[int] = set()
    stack = list(values)
    while stack and len(seen) < MAX_VALUES:
        value = stack.pop()
        if id(value) not in seen:
            seen.add(id(value))
            yield value
            stack += _parts(value)


def _parts(value: Any) -> list[Value]:
    if not isinstance(value, _HOLDERS):  # nearly all values: numbers, texts, symbols
        return []
    if isinstance(value, (list, tuple, set)):
        return list(value)[:20]
    if isinstance(value, dict):
        return list(value.values())[:20]
    if isinstance(value, Items):
        return list(value.items[value.position : value.position + 20])
    if isinstance(value, Instance):
        return list(value.fields.values())
    if isinstance(value, (BoundMethod, Method)):
        return [value.receiver]
    return list(value.defaults.values())
