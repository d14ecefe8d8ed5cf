"""Keys that are tuples of which some parts are not known, as ``("west", shape)``: which entries may they name."""

from __future__ import annotations

from collections.abc import Iterable

from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value


def is_partly_known(key: Value) -> bool:
    """Whether a key is a tuple with a part that is not known."""
    return isinstance(key, tuple) and any(isinstance(part, Symbol) or is_partly_known(part) for part in key)


def candidates(keys: Iterable[Value], key: Value) -> list[Value]:
    """The keys that may be equal to one."""
    return [one for one in keys if _may_be_equal(one, key)]


def _may_be_equal(one: Value, other: Value) -> bool:
    if isinstance(one, Symbol) or isinstance(other, Symbol):
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_may_be_equal, one, other))
    return bool(one == other)
