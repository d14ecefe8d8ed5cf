"""Functions of numpy that order, search and count elements."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes, views
from jaxmpi_lint.interpreter.arrays import Array, Shape
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    Operation,
    as_array,
    as_method,
    computed,
    dtype_argument,
    finished,
    numbers,
    pure,
)
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _sorted(rank: Rank, array: Array, axis: Value) -> Array:
    """The elements in order; known only for one axis."""
    known = numbers(array.cells)
    if array.shape is not None and known is not None:
        at = views.axis_of(axis, len(array.shape)) if axis is not None and array.shape else None
        if at is not None:
            return arrays.of_cells(_sorted_along(known, array.shape, at), array.shape, array.dtype)
    symbol = rank.symbol("call", "sort", array, axis)
    if array.shape is None:
        return arrays.unknown(symbol, array.dtype)
    return arrays.of_symbol(symbol, array.shape, array.dtype)


def _sorted_along(cells: list[Any], shape: Shape, axis: int) -> list[Any]:
    """The elements with each line along an axis in order."""
    stride, found = math.prod(shape[axis + 1 :]), list(cells)
    for first in range(len(cells)):
        if first // stride % shape[axis] == 0:
            line = slice(first, first + stride * shape[axis], stride)
            found[line] = sorted(cells[line])
    return found


def _sort(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0, "a"))
    return pure(rank, "sort", arguments) if array is None else _sorted(rank, array, arguments.get(1, "axis", -1))


def _sort_in_place(rank: Rank, array: Array, arguments: Arguments) -> Value:
    array_changes.write(rank, array, _sorted(rank, array, arguments.get(0, "axis", -1)))


def _order(rank: Rank, arguments: Arguments) -> Value:
    """``argsort``: equal elements have no order that all versions share, unless it is asked for."""
    array = as_array(rank, arguments.get(0, "a"))
    if array is None:
        return pure(rank, "argsort", arguments)
    known = numbers(array.cells)
    is_stable = arguments.get(2, "kind") in ("stable", "mergesort")
    if (
        array.shape is None
        or len(array.shape) != 1
        or known is None
        or (len(set(known)) < len(known) and not is_stable)
    ):
        return computed(rank, "argsort", arguments, array.shape, "int64")
    return arrays.of_cells(sorted(range(len(known)), key=known.__getitem__), array.shape, "int64")


def _unique(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0, "ar"))
    names = ("return_index", "return_inverse", "return_counts")
    asked = [at for at, name in enumerate(names) if arguments.get(at + 1, name, False)]
    known = numbers(array.cells) if array is not None and not arguments.has(4, "axis") else None
    if array is None or known is None:
        whole = pure(rank, "unique", arguments)
        first = arrays.unknown(whole, array.dtype if array is not None else "")
        return (
            (first, *(arrays.unknown(rank.symbol("item", whole, at + 1), "int64") for at in asked)) if asked else first
        )
    kept = sorted(set(known))
    result = arrays.of_cells(kept, (len(kept),), array.dtype)
    extras = [
        [known.index(one) for one in kept],
        [kept.index(one) for one in known],
        [known.count(one) for one in kept],
    ]
    more = [arrays.of_cells(list(extras[at]), (len(extras[at]),), "int64") for at in asked]
    return (result, *more) if asked else result


def _search(rank: Rank, arguments: Arguments) -> Value:
    array, wanted = as_array(rank, arguments.get(0, "a")), as_array(rank, arguments.get(1, "v"))
    side = arguments.get(2, "side", "left")
    if array is None or wanted is None or wanted.shape is None:
        return pure(rank, "searchsorted", arguments)
    known, values = numbers(array.cells), numbers(wanted.cells)
    if known is None or values is None or known != sorted(known) or side not in ("left", "right"):
        return finished(rank, computed(rank, "searchsorted", arguments, wanted.shape, "int64"))
    find = bisect.bisect_left if side == "left" else bisect.bisect_right
    return finished(rank, arrays.of_cells([find(known, one) for one in values], wanted.shape, "int64"))


def _places(array: Array) -> list[int] | None:
    cells = array.cells
    if cells is None or any(isinstance(cell, Symbol) for cell in cells):
        return None
    return [at for at, cell in enumerate(cells) if cell]


def _nonzero(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    if array is None or array.shape is None:
        return pure(rank, "nonzero", arguments, "tuple")
    found = _places(array)
    whole = pure(rank, "nonzero", arguments)
    if found is None:
        return tuple(arrays.unknown(rank.symbol("item", whole, axis), "int64") for axis in range(len(array.shape)))
    strides = [math.prod(array.shape[axis + 1 :]) for axis in range(len(array.shape))]
    return tuple(
        arrays.of_cells([at // stride % length for at in found], (len(found),), "int64")
        for stride, length in zip(strides, array.shape, strict=True)
    )


def _flat_nonzero(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    found = None if array is None else _places(array)
    if found is None:
        return computed(rank, "flatnonzero", arguments, None, "int64")
    return arrays.of_cells(list(found), (len(found),), "int64")


def _argwhere(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    places = _nonzero(rank, arguments) if array is not None and array.shape is not None else None
    if not isinstance(places, tuple) or any(one.cells is None for one in places):
        return computed(rank, "argwhere", arguments, None, "int64")
    rows = list(zip(*(one.cells for one in places), strict=True))
    return arrays.of_cells([at for row in rows for at in row], (len(rows), len(places)), "int64")


def _difference(rank: Rank, arguments: Arguments) -> Value:
    array, times, axis = as_array(rank, arguments.get(0, "a")), arguments.get(1, "n", 1), arguments.get(2, "axis", -1)
    extra = arguments.has(3, "prepend") or arguments.has(4, "append")
    if array is None or array.shape is None or times != 1 or extra or not array.shape:
        return computed(rank, "diff", arguments, None, array.dtype if array is not None else "")
    at = views.axis_of(axis, len(array.shape))
    if at is None:
        return computed(rank, "diff", arguments, None, array.dtype)
    shape = (*array.shape[:at], max(array.shape[at] - 1, 0), *array.shape[at + 1 :])
    cells = array.cells
    if cells is None or len(array.shape) > 1 or array.dtype == "bool":
        return computed(rank, "diff", arguments, shape, array.dtype)
    found = [dtypes.cast(rank, rank.binary("-", b, a), array.dtype) for a, b in itertools.pairwise(cells)]
    return arrays.of_cells(found, shape, array.dtype)


def _accumulated(name: str, operator: str) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        array, axis = as_array(rank, arguments.get(0, "a")), arguments.get(1, "axis")
        out = arguments.keywords.get("out", arguments.get(3))
        if array is None:
            return pure(rank, name, arguments)
        wide = {0: "int64", 1: "uint64" if array.dtype.startswith("u") else "int64"}
        dtype = dtype_argument(arguments, 2, wide.get(dtypes.family(array.dtype), array.dtype))
        shape = array.shape
        if axis is None and shape is not None:
            shape = (math.prod(shape),)
        known = numbers(array.cells)
        if known is None or shape is None or len(shape) != 1:
            return finished(rank, computed(rank, name, arguments, shape, dtype), out)
        found = itertools.accumulate(known, lambda a, b: rank.binary(operator, a, b))
        return finished(rank, arrays.of_cells([dtypes.cast(rank, one, dtype) for one in found], shape, dtype), out)

    return call


def _membership(rank: Rank, arguments: Arguments) -> Value:
    array, wanted = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
    if array is None or wanted is None or array.shape is None or len(arguments.values) > 2 or arguments.keywords:
        return computed(rank, "isin", arguments, array.shape if array is not None else None, "bool")
    ours, theirs = numbers(array.cells), numbers(wanted.cells)
    if ours is None or theirs is None:
        return finished(rank, computed(rank, "isin", arguments, array.shape, "bool"))
    return finished(rank, arrays.of_cells([one in theirs for one in ours], array.shape, "bool"))


def _set_operation(name: str, apply: Callable[[set[Any], set[Any]], set[Any]]) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        one, other = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
        ours, theirs = (numbers(array.cells) if array is not None else None for array in (one, other))
        dtype = dtypes.promote(one.dtype, other.dtype) if one is not None and other is not None else ""
        if ours is None or theirs is None or len(arguments.values) > 2 or arguments.keywords:
            return pure(rank, name, arguments) if arguments.keywords else computed(rank, name, arguments, None, dtype)
        found = sorted(apply(set(ours), set(theirs)))
        return arrays.of_cells(found, (len(found),), dtype)

    return call


def _bins(rank: Rank, arguments: Arguments) -> Value:
    """``histogram``: counts and edges."""
    bins = arguments.get(1, "bins", 10)
    whole = pure(rank, "histogram", arguments)
    edges = as_array(rank, bins) if not isinstance(bins, (int, str)) else None
    count = bins if isinstance(bins, int) else None
    if edges is not None and edges.size is not None:
        count = edges.size - 1
    weighted = arguments.has(3, "density") or arguments.has(4, "weights")
    dtype = "" if weighted else "int64"
    counts, limits = rank.symbol("item", whole, 0), rank.symbol("item", whole, 1)
    if count is None or count < 1:
        return arrays.unknown(counts, dtype), arrays.unknown(limits)
    return arrays.of_symbol(counts, (count,), dtype), edges or arrays.of_symbol(limits, (count + 1,), "float64")


def _trace(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    shape, cells = (array.shape, array.cells) if array is not None else (None, None)
    if (
        array is not None
        and shape is not None
        and len(shape) == 2
        and cells is not None
        and len(arguments.every()) == 1
    ):
        total: Value = 0
        for at in range(min(shape)):
            total = rank.binary("+", total, cells[at * (shape[1] + 1)])
        return total
    return pure(rank, "trace", arguments, dtypes.kind_of(array.dtype) if array is not None else "")


def _percentile(rank: Rank, arguments: Arguments) -> Value:
    array, wanted = as_array(rank, arguments.get(0)), arguments.get(1, "q")
    is_number = array is not None and isinstance(wanted, (int, float)) and arguments.get(2, "axis") is None
    if not is_number:
        return pure(rank, "percentile", arguments)
    return pure(
        rank, "percentile", arguments, "float" if array is not None and array.dtype in ("float64", "int64") else ""
    )


def _like_first(name: str, dtype: str = "") -> Operation:
    """A function whose result has the shape of its first argument."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        array = as_array(rank, arguments.get(0))
        if array is None:
            return pure(rank, name, arguments)
        return finished(rank, computed(rank, name, arguments, array.shape, dtype))

    return call


def _inverse(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    dtype = dtypes.of_division(array.dtype) if array is not None else ""
    return computed(rank, "linalg.inv", arguments, array.shape if array is not None else None, dtype)


def _solution(rank: Rank, arguments: Arguments) -> Value:
    matrix, array = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
    if array is None or matrix is None or matrix.shape is None or len(matrix.shape) != 2:
        return pure(rank, "linalg.solve", arguments)
    dtype = dtypes.of_division(dtypes.promote(matrix.dtype, array.dtype))
    return computed(rank, "linalg.solve", arguments, array.shape, dtype)


def _determinant(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    if array is None or array.shape is None or len(array.shape) != 2:
        return pure(rank, "linalg.det", arguments)
    return pure(rank, "linalg.det", arguments, dtypes.kind_of(dtypes.of_division(array.dtype)))


def _axes_kept(rank: Rank, arguments: Arguments) -> Value:
    """``apply_along_axis`` calls the program: its result is not followed."""
    return rank.symbol("call", Library("numpy.apply_along_axis"), *arguments.values, is_guess=True)


def _fit(rank: Rank, arguments: Arguments) -> Value:
    """``polyfit``: the coefficients of a polynomial."""
    values, degree = as_array(rank, arguments.get(1, "y")), arguments.get(2, "deg")
    is_plain = values is not None and values.shape is not None and len(values.shape) == 1
    if not is_plain or not isinstance(degree, int) or len(arguments.values) > 3 or arguments.keywords.keys() - {"deg"}:
        return pure(rank, "polyfit", arguments)
    return computed(rank, "polyfit", arguments, (degree + 1,), "float64")


def _quadrature(name: str) -> Operation:
    """Nodes and weights of a quadrature."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        count, whole = arguments.get(0, "deg"), pure(rank, name, arguments)
        shape = (count,) if isinstance(count, int) and count > 0 else None
        parts = [rank.symbol("item", whole, at) for at in range(2)]
        if shape is None:
            return tuple(arrays.unknown(part, "float64") for part in parts)
        return tuple(arrays.of_symbol(part, shape, "float64") for part in parts)

    return call


_RULES = ("legendre.leggauss", "chebyshev.chebgauss", "hermite.hermgauss", "laguerre.laggauss")
_CALLS: dict[str, Operation] = {
    **dict.fromkeys(("polyfit", "polynomial.polynomial.polyfit"), _fit),
    **{f"polynomial.{name}": _quadrature(name) for name in _RULES},
    "sort": _sort,
    "argsort": _order,
    "unique": _unique,
    "searchsorted": _search,
    "nonzero": _nonzero,
    "flatnonzero": _flat_nonzero,
    "argwhere": _argwhere,
    "diff": _difference,
    "cumsum": _accumulated("cumsum", "+"),
    "cumprod": _accumulated("cumprod", "*"),
    "isin": _membership,
    "in1d": _membership,
    "intersect1d": _set_operation("intersect1d", set.intersection),
    "union1d": _set_operation("union1d", set.union),
    "setdiff1d": _set_operation("setdiff1d", set.difference),
    "histogram": _bins,
    "trace": _trace,
    "percentile": _percentile,
    "quantile": _percentile,
    "interp": _like_first("interp", "float64"),
    "fft.fft": _like_first("fft.fft", "complex128"),
    "fft.ifft": _like_first("fft.ifft", "complex128"),
    "fft.fftshift": _like_first("fft.fftshift"),
    "linalg.inv": _inverse,
    "linalg.solve": _solution,
    "linalg.det": _determinant,
    "apply_along_axis": _axes_kept,
}
FUNCTIONS: dict[str, Any] = {f"numpy.{name}": call for name, call in _CALLS.items()}
_METHODS = ("argsort", "searchsorted", "nonzero", "cumsum", "cumprod", "trace")
METHODS: dict[str, dict[str, Operation]] = {
    "array": {**{name: as_method(_CALLS[name]) for name in _METHODS}, "sort": _sort_in_place},
}
