"""What the models of numpy functions share: operands, dtypes, shapes, and the places of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import fail, unfit
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Operation = Callable[..., Any]


def as_array(rank: Rank, value: Value) -> Array | None:
    """An operand as an array; None if it may be anything."""
    if isinstance(value, Array):
        return value
    if isinstance(value, (int, float, complex)) or (isinstance(value, Symbol) and value.kind in dtypes.KINDS):
        return arrays.of_cells([value], (), dtypes.of_scalar(value))
    return arrays.from_nested(rank, value, "") if isinstance(value, (list, tuple, range)) else None


def pure(rank: Rank, name: str, arguments: Arguments, kind: str = "") -> Symbol:
    """The symbol of a call whose result depends on its arguments only."""
    return rank.symbol("call", Library(f"numpy.{name}"), *arguments.values, dict(arguments.keywords), kind=kind)


def computed(rank: Rank, name: str, arguments: Arguments, shape: Shape | None, dtype: str = "") -> Array:
    """An array of which the shape is known, and the elements are a symbol."""
    symbol = pure(rank, name, arguments, dtypes.kind_of(dtype))
    return arrays.unknown(symbol, dtype) if shape is None else arrays.of_symbol(symbol, shape, dtype)


def finished(rank: Rank, result: Array, out: Value = None) -> Value:
    """What a function returns: ``out``, filled, or the result, which without axes is a number."""
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if isinstance(out, Array):
        if out.shape is not None and out.shape == result.shape:
            array_changes.write(rank, out, result)
        else:
            array_changes.forget(rank, out, out.selection, result)
        return out
    if result.shape == () and result.cells is not None:
        return dtypes.as_scalar(result.cells[0], result.dtype)
    return result


def dtype_argument(arguments: Arguments, position: int, default: str, name: str = "dtype") -> str:
    """The dtype that a call asks for."""
    given = arguments.get(position, name)
    return default if given is None else dtypes.dtype_of(given)


def shape_argument(value: Value) -> Shape | None:
    """A shape, None if it is not known; one that no array can have fails."""
    if isinstance(value, Array):
        value = value.cells
    several = list(value) if isinstance(value, (list, tuple)) else [value]
    if any(isinstance(n, float) for n in several):
        raise fail("TypeError")
    if isinstance(value, (list, tuple)) and any(n is None for n in several):
        raise unfit(None)
    if any(isinstance(n, bool) or not isinstance(n, int) for n in several):
        return None
    if any(n < 0 for n in several):
        raise fail("ValueError")
    return tuple(int(n) for n in several)


def gathered(
    rank: Rank, key: tuple[object, ...], array: Array, shape: Shape, offsets: Callable[[], Sequence[int]]
) -> Array:
    """The elements of an array at other places."""
    cells = array.cells
    if cells is None or math.prod(shape) > MAX_ELEMENTS:
        return arrays.of_symbol(rank.symbol(*key, array, shape), shape, array.dtype)
    return arrays.of_cells([cells[offset] for offset in offsets()], shape, array.dtype)


def numbers(cells: Sequence[Value] | None) -> list[Any] | None:
    """The elements if all of them are real numbers that can be ordered."""
    if cells is None or any(not isinstance(cell, (int, float)) or math.isnan(cell) for cell in cells):
        return None
    return list(cells)


def are_close(left: Any, right: Any, relative: float, absolute: float) -> bool:
    """Whether two numbers agree within tolerances."""
    if math.isinf(left) or math.isinf(right):
        return bool(left == right)
    return bool(abs(left - right) <= absolute + relative * abs(right))


def as_method(function: Operation) -> Operation:
    """A method that is the function with the array as its first argument."""

    def call(rank: Rank, receiver: Value, arguments: Arguments) -> Value:
        return function(rank, Arguments((receiver, *arguments.values), arguments.keywords))

    return call
