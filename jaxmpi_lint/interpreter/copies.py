"""Copies of messages: a receiver has separate containers and objects."""

from __future__ import annotations

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import DefaultDict, Record, View
from jaxmpi_lint.interpreter.values import Instance, Value

MAX_DEPTH = 8


def copied(value: Value, depth: int = MAX_DEPTH, made: dict[int, Value] | None = None) -> Value:
    """A deep copy, as pickling makes it; what is immutable or unknown is shared.

    ``made`` holds the copies of containers by their identity: what occurs twice is copied once.
    """
    made = {} if made is None else made
    if depth == 0:
        return value
    if id(value) not in made:
        made[id(value)] = _copy(value, depth - 1, made)
    return made[id(value)]


def _copy(value: Value, depth: int, made: dict[int, Value]) -> Value:
    if isinstance(value, list):
        found = made[id(value)] = _empty(value)
        found.extend(copied(item, depth, made) for item in value)
        return found
    if isinstance(value, Record):
        return Record.make(value.title, value.names, (copied(item, depth, made) for item in value))
    if isinstance(value, tuple):
        return tuple(copied(item, depth, made) for item in value)
    if isinstance(value, dict):
        empty = type(value)(value.make) if isinstance(value, DefaultDict) else type(value)()
        table = made[id(value)] = empty
        table.update((key, copied(item, depth, made)) for key, item in value.items())
        return table
    if isinstance(value, set):
        return set(value)
    if hasattr(value, "replicate"):
        replica = made[id(value)] = value.replicate(lambda part: copied(part, depth, made))
        return replica
    if isinstance(value, Array) or getattr(value, "type_name", "") in ("random generator", "numpy generator"):
        return value.copy()
    if isinstance(value, Instance):
        instance = made[id(value)] = Instance(value.cls, value.serial)
        instance.fields.update((name, copied(one, depth, made)) for name, one in value.fields.items())
        return instance
    return value


def _empty(items: list[Value]) -> list[Value]:
    """A list of the same kind without items; that of a deque has the same limit."""
    found = [] if isinstance(items, View) else type(items)()
    if hasattr(items, "limit"):
        found.limit = items.limit  # type: ignore[attr-defined]
    return found
