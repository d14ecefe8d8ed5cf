"""Copies of messages: a receiver has separate containers and objects."""

from __future__ import annotations

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.values import GuessedList, Instance, Value

MAX_DEPTH = 8


def copied(value: Value, depth: int = MAX_DEPTH) -> Value:
    """A deep copy, as pickling makes it; what is immutable or unknown is shared."""
    if depth == 0:
        return value
    if isinstance(value, GuessedList):
        return GuessedList(copied(item, depth - 1) for item in value)
    if isinstance(value, list):
        return [copied(item, depth - 1) for item in value]
    if isinstance(value, tuple):
        return tuple(copied(item, depth - 1) for item in value)
    if isinstance(value, dict):
        return {key: copied(item, depth - 1) for key, item in value.items()}
    if isinstance(value, set):
        return set(value)
    if isinstance(value, Array) or getattr(value, "type_name", "") in ("random generator", "numpy generator"):
        return value.copy()
    if isinstance(value, Instance):
        return Instance(value.cls, value.serial, {n: copied(v, depth - 1) for n, v in value.fields.items()})
    return value
