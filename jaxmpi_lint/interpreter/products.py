"""Products of arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import dtypes
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape, of_cells, of_symbol, unknown
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def matmul(rank: Rank, left: Value, right: Value) -> Value:
    """``left @ right`` and ``dot`` of arrays of up to two axes; other products are symbols."""
    symbol = rank.symbol("operation", "@", left, right)
    if not isinstance(left, Array) or not isinstance(right, Array):
        return symbol
    dtype = dtypes.promote(left.dtype, right.dtype)
    if left.shape is None or right.shape is None or not 0 < len(left.shape) < 3 or not 0 < len(right.shape) < 3:
        return unknown(symbol, dtype)
    if left.shape[-1] != right.shape[0]:
        raise fail("ValueError")
    shape = (*left.shape[:-1], *right.shape[1:])
    cells = _cells(rank, left, right, shape)
    if cells is None:
        if shape:
            return of_symbol(symbol, shape, dtype)
        return rank.symbol("dot", left, right, kind=dtypes.kind_of(dtype))
    cells = [dtypes.cast(rank, cell, dtype) for cell in cells]
    return of_cells(cells, shape, dtype) if shape else dtypes.as_scalar(cells[0], dtype)


def _cells(rank: Rank, left: Array, right: Array, shape: Shape) -> list[Value] | None:
    ours, theirs = left.cells, right.cells
    inner, width = right.shape[0] if right.shape else 0, math.prod((right.shape or ())[1:])
    if ours is None or theirs is None or math.prod(shape) * inner > MAX_ELEMENTS * 4 or math.prod(shape) > MAX_ELEMENTS:
        return None
    if any(not isinstance(cell, (int, float, complex)) for cell in (*ours, *theirs)):
        return None
    rows = [ours[at : at + inner] for at in range(0, len(ours), inner)] if inner else []
    columns = [theirs[at::width] for at in range(width)]
    if not inner:
        return [0] * math.prod(shape)
    return [sum(a * b for a, b in zip(row, column, strict=True)) for row in rows for column in columns]
