"""Functions of numpy between positions: indices of grids, numbers of bins, elements that are left out."""

from __future__ import annotations

import bisect
import math
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays, dtypes
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    as_array,
    computed,
    dtype_argument,
    finished,
    numbers,
    pure,
    shape_argument,
)
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _unravel(rank: Rank, arguments: Arguments) -> Value:
    """The indices along each axis of a position in a grid, by rows."""
    position, shape = arguments.get(0, "indices"), shape_argument(arguments.get(1, "shape"))
    is_by_rows = arguments.get(2, "order", "C") == "C"
    if shape is None or not is_by_rows or not isinstance(position, int):
        count = len(shape) if shape is not None else 0
        whole = pure(rank, "unravel_index", arguments, "tuple")
        is_number = not isinstance(as_array(rank, position), Array) or isinstance(position, int)
        return tuple(rank.symbol("item", whole, at) for at in range(count)) if count and is_number else whole
    if not 0 <= position < math.prod(shape):
        raise fail("ValueError")
    strides = [math.prod(shape[at + 1 :]) for at in range(len(shape))]
    return tuple(position // stride % length for stride, length in zip(strides, shape, strict=True))


def _ravel(rank: Rank, arguments: Arguments) -> Value:
    """The position of an index in a grid, by rows."""
    index, shape = arguments.get(0, "multi_index"), shape_argument(arguments.get(1, "dims"))
    is_plain = isinstance(index, (tuple, list)) and all(isinstance(one, int) for one in index)
    if shape is None or not is_plain or len(arguments.values) + len(arguments.keywords) > 2:
        return pure(rank, "ravel_multi_index", arguments)
    if len(index) != len(shape) or not all(0 <= one < length for one, length in zip(index, shape, strict=True)):
        raise fail("ValueError")
    return sum(one * math.prod(shape[at + 1 :]) for at, one in enumerate(index))


def _bincount(rank: Rank, arguments: Arguments) -> Value:
    """How often each number occurs: as many elements as the largest number says."""
    array = as_array(rank, arguments.get(0, "x"))
    known = numbers(array.cells) if array is not None else None
    least = arguments.get(2, "minlength", 0)
    is_weighted = arguments.has(1, "weights")
    is_known = known is not None and isinstance(least, int) and all(isinstance(one, int) and one >= 0 for one in known)
    length = max([one + 1 for one in known] + [least]) if is_known and known is not None else 0
    if is_weighted or not is_known or known is None or length > MAX_ELEMENTS:
        return computed(rank, "bincount", arguments, None, "" if is_weighted else "int64")
    return arrays.of_cells([known.count(at) for at in range(length)], (length,), "int64")


def _digitize(rank: Rank, arguments: Arguments) -> Value:
    """The number of the bin of each element."""
    array, bins = as_array(rank, arguments.get(0, "x")), as_array(rank, arguments.get(1, "bins"))
    if array is None:
        return pure(rank, "digitize", arguments)
    known, edges = numbers(array.cells), numbers(bins.cells) if bins is not None else None
    right = arguments.get(2, "right", False)
    if known is None or edges is None or edges != sorted(edges) or not isinstance(right, bool):
        return finished(rank, computed(rank, "digitize", arguments, array.shape, "int64"))
    find = bisect.bisect_left if right else bisect.bisect_right
    return finished(rank, arrays.of_cells([find(edges, one) for one in known], array.shape or (), "int64"))


def _delete(rank: Rank, arguments: Arguments) -> Value:
    """An array of one axis without some of its elements."""
    array, index = as_array(rank, arguments.get(0, "arr")), arguments.get(1, "obj")
    dtype = array.dtype if array is not None else ""
    shape = array.shape if array is not None else None
    if array is None or shape is None or len(shape) != 1 or array.cells is None or arguments.has(2, "axis"):
        return computed(rank, "delete", arguments, None, dtype)
    places = _places(index, shape[0])
    if places is None:
        return computed(rank, "delete", arguments, None, dtype)
    kept = [cell for at, cell in enumerate(array.cells) if at not in places]
    return arrays.of_cells(kept, (len(kept),), dtype)


def _places(index: Value, length: int) -> set[int] | None:
    """The positions that an index names; None if they are not known."""
    if isinstance(index, SliceValue):
        return set(range(length)[index.python()]) if index.is_plain else None
    several = index.cells if isinstance(index, Array) else index if isinstance(index, (list, tuple)) else [index]
    if several is None or not all(isinstance(one, int) and not isinstance(one, bool) for one in several):
        return None
    if not all(-length <= one < length for one in several):
        raise fail("IndexError")
    return {one % length for one in several}


def _from_items(rank: Rank, arguments: Arguments) -> Running:
    """`numpy.fromiter`: an array of the items of an iterable."""
    items = yield from elements(rank, arguments.get(0, "iter"))
    dtype = dtype_argument(arguments, 1, "")
    if isinstance(items, GuessedList) or arguments.has(2, "count") or len(items) > MAX_ELEMENTS or not dtype:
        return arrays.unknown(rank.symbol("items", *items), dtype)
    return arrays.of_cells([dtypes.cast(rank, item, dtype) for item in items], (len(items),), dtype)


FUNCTIONS: dict[str, Any] = {
    "numpy.unravel_index": _unravel,
    "numpy.ravel_multi_index": _ravel,
    "numpy.bincount": _bincount,
    "numpy.digitize": _digitize,
    "numpy.delete": _delete,
    "numpy.fromiter": _from_items,
}
