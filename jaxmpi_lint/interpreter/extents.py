"""Which cells of a large array an index selects, without a list of them."""

from __future__ import annotations

import math
from typing import Any

Span = tuple[int, int]


def axes(shape: tuple[int, ...], index: Any) -> list[range] | None:
    """The positions in each dimension; None if the index is not made of known numbers and slices."""
    keys = list(index) if isinstance(index, tuple) else [index]
    dots = [position for position, key in enumerate(keys) if key is ...]
    if dots:
        keys[dots[0] : dots[0] + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
    if len(keys) > len(shape):
        return None
    found: list[range] = []
    for length, key in zip(shape, keys + [slice(None)] * (len(shape) - len(keys)), strict=True):
        positions = _positions(length, key)
        if positions is None:
            return None
        found.append(positions)
    return found


def _positions(length: int, key: Any) -> range | None:
    if isinstance(key, int) and not isinstance(key, bool):
        return range(key % length, key % length + 1) if -length <= key < length else None
    if not isinstance(key, slice):
        if not getattr(key, "is_plain", False):
            return None
        key = key.python()
    return range(*key.indices(length)) if key.step != 0 else None


def span(start: int, shape: tuple[int, ...], index: Any) -> Span | None:
    """The range of cells of a part of a contiguous array that begins at ``start``; None if it is not contiguous."""
    chosen = axes(shape, index)
    if chosen is None:
        return None
    if any(not positions for positions in chosen):
        return start, start
    stride = math.prod(shape)
    first, count, is_free = start, 1, True
    for length, positions in zip(shape, chosen, strict=True):
        stride //= length
        first += positions[0] * stride
        if len(positions) > 1 and positions.step != 1:
            return None
        if not is_free and len(positions) != length:
            return None
        is_free = is_free and len(positions) == 1
        count *= len(positions)
    return first, first + count
