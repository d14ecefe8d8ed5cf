"""Operations on the elements of arrays, with the broadcasting of numpy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import dtypes
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape, from_nested, of_cells, of_symbol, unknown
from jaxmpi_lint.interpreter.memory_order import like_operands
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def shape_of(value: Value) -> Shape | None:
    """The shape of an operand; () for numbers."""
    return value.shape if isinstance(value, Array) else ()


def broadcast_shapes(left: Shape | None, right: Shape | None) -> Shape | None:
    """The common shape of two operands, as numpy defines it."""
    if left is None or right is None:
        return None
    found: list[int] = []
    for a, b in itertools.zip_longest(reversed(left), reversed(right), fillvalue=1):
        if a != b and 1 not in (a, b):
            raise fail("ValueError")
        found.append(b if a == 1 else a)
    return tuple(reversed(found))


_BOOLEAN = frozenset({"==", "!=", "<", "<=", ">", ">="})


def elementwise(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    """An operator applied to each element."""
    left, right = _operand(rank, left), _operand(rank, right)
    if operator == "@":
        return rank.symbol("operation", operator, left, right)
    if not (_is_known(left) and _is_known(right)):
        return rank.symbol("operation", operator, left, right)
    dtype = "bool" if operator in _BOOLEAN else result_dtype(operator, left, right)

    def compute(one: Value, other: Value) -> Value:
        return rank.binary(operator, one, other)

    return apply(rank, ("operation", operator), compute, (left, right), dtype)


def _operand(rank: Rank, value: Value) -> Value:
    return from_nested(rank, value, "") if isinstance(value, (list, tuple, range)) else value


def _is_known(value: Value) -> bool:
    """Whether an operand is a number or array: a symbol of another kind may have any shape."""
    return not isinstance(value, Symbol) or value.kind in dtypes.KINDS


def apply(
    rank: Rank, key: tuple[object, ...], compute: Callable[..., Value], operands: Sequence[Value], dtype: str
) -> Array:
    """A function applied to each group of elements of arrays and numbers; what it cannot compute is a symbol."""
    shape: Shape | None = ()
    for operand in operands:
        shape = broadcast_shapes(shape, shape_of(operand))
    if shape is None:
        return unknown(rank.symbol(*key, *operands), dtype)
    columns = [_spread(operand, shape) for operand in operands] if math.prod(shape) <= MAX_ELEMENTS else [None]
    if any(column is None for column in columns):
        return like_operands(of_symbol(rank.symbol(*key, *operands), shape, dtype), operands)
    rows = zip(*(column for column in columns if column is not None), strict=True)
    made = of_cells([cell(rank, key, compute, row, dtype) for row in rows], shape, dtype)
    return like_operands(made, operands)


def cell(
    rank: Rank, key: tuple[object, ...], compute: Callable[..., Value], row: tuple[Value, ...], dtype: str
) -> Value:
    """One element of a result."""
    if key[0] != "operation" and any(isinstance(one, Symbol) for one in row):
        return rank.symbol(*key, *row, kind=dtypes.kind_of(dtype))
    try:
        result = compute(*row)
        return (
            rank.symbol(*key, *row, kind=dtypes.kind_of(dtype)) if result is None else dtypes.cast(rank, result, dtype)
        )
    except Exception as error:
        if isinstance(error, Cut):
            raise
        return rank.symbol(*key, *row, kind=dtypes.kind_of(dtype))


def _spread(value: Value, shape: Shape) -> list[Value] | None:
    """The elements of an operand, repeated to a shape."""
    if not isinstance(value, Array):
        return [value] * math.prod(shape)
    cells = value.cells
    if cells is None or value.shape is None:
        return None
    if value.shape == shape:
        return cells
    own = (1,) * (len(shape) - len(value.shape)) + value.shape
    strides = [0 if own[axis] == 1 else math.prod(own[axis + 1 :]) for axis in range(len(own))]
    places = itertools.product(*(range(length) for length in shape))
    return [cells[sum(i * s for i, s in zip(where, strides, strict=True))] for where in places]


def unary(rank: Rank, operator: str, array: Array) -> Value:
    """A sign or ``~`` applied to each element."""
    cells = array.cells
    if cells is None:
        symbol = rank.symbol("operation", operator, array)
        return unknown(symbol, array.dtype) if array.shape is None else of_symbol(symbol, array.shape, array.dtype)
    if operator == "~" and array.dtype == "bool" and all(isinstance(cell, bool) for cell in cells):
        return of_cells([not cell for cell in cells], array.shape, "bool")
    return of_cells([_sign(rank, operator, cell) for cell in cells], array.shape, array.dtype)


def _sign(rank: Rank, operator: str, cell: Value) -> Value:
    if isinstance(cell, (int, float, complex)) and operator in "+-":
        return -cell if operator == "-" else cell
    return rank.symbol("operation", operator, cell)


def result_dtype(operator: str, left: Value, right: Value) -> str:
    """The dtype of an arithmetic result; an empty text if it is not known."""
    if isinstance(left, Array) and isinstance(right, Array):
        common = dtypes.promote(left.dtype, right.dtype)
    else:
        array, other = (left, right) if isinstance(left, Array) else (right, left)
        common = dtypes.with_scalar(array.dtype, other) if isinstance(array, Array) else ""
    return dtypes.of_division(common) if operator == "/" else common
