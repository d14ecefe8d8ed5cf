"""Positions that numbers and slices select in an array."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from jaxmpi_lint.interpreter.values import Value, fail

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


def is_slice(key: Value) -> bool:
    """Whether a part of an index keeps its axis."""
    return key is ... or isinstance(key, slice) or hasattr(key, "python")
