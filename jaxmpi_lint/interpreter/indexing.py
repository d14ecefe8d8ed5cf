"""Positions that numbers and slices select in an array."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Value

Shape = tuple[int, ...]


def full(index: Value, shape: Shape) -> list[Any] | None:
    """One number or slice for each dimension; None if the index is of another kind."""
    keys = list(index) if isinstance(index, tuple) else [index]
    if Ellipsis in [key for key in keys if key is ...]:
        at = next(position for position, key in enumerate(keys) if key is ...)
        keys[at : at + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    found: list[Any] = []
    for key in keys:
        python = getattr(key, "python", None)
        if (isinstance(key, int) and not isinstance(key, bool)) or isinstance(key, slice):
            found.append(key)
        elif python is not None and key.is_plain:
            found.append(python())
        else:
            return None
    if len(found) > len(shape):
        raise fail("IndexError")
    return found + [slice(None)] * (len(shape) - len(found))


def is_everything(index: Value) -> bool:
    """Whether an index is ``:`` or ``...``."""
    if index is ...:
        return True
    return is_slice(index) and getattr(index, "is_plain", False) and index.python() == slice(None)


def positions(shape: Shape, keys: list[Any]) -> tuple[Shape, Callable[[], list[int]]]:
    """The shape of a part, and a function for its offsets."""
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    axes: list[Sequence[int]] = []
    result: list[int] = []
    for length, key in zip(shape, keys, strict=True):
        if isinstance(key, slice):
            chosen = range(*key.indices(length))
            result.append(len(chosen))
            axes.append(chosen)
        else:
            if not -length <= key < length:
                raise fail("IndexError")
            axes.append((key % length,))

    def offsets() -> list[int]:
        return [sum(i * stride for i, stride in zip(where, strides, strict=True)) for where in itertools.product(*axes)]

    return tuple(result), offsets


def is_view(index: Value) -> bool:
    """Whether an index of numbers and slices, whose bounds need not be known, selects a part of the same memory."""
    keys = index if isinstance(index, tuple) else (index,)
    are_known = all(is_slice(key) or (isinstance(key, int) and not isinstance(key, bool)) for key in keys)
    return are_known and any(map(is_slice, keys))


def begins(index: Value) -> bool:
    """Whether a part contains the first element, if it is not empty."""
    return all(map(_begins, index if isinstance(index, tuple) else (index,)))


def _begins(key: Value) -> bool:
    if key is ... or (isinstance(key, int) and not isinstance(key, bool)):
        return key is ... or key == 0
    if isinstance(key, slice):
        return key.start in (None, 0) and key.step in (None, 1)
    return is_slice(key) and key.lower in (None, 0) and key.step in (None, 1)


def is_slice(key: Value) -> bool:
    """Whether a part of an index keeps its axis."""
    return key is ... or isinstance(key, slice) or hasattr(key, "python")
