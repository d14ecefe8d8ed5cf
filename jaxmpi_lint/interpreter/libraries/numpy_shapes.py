"""Functions of numpy that join, split and rearrange arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes, views
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    Operation,
    as_array,
    as_method,
    computed,
    finished,
    gathered,
    pure,
    shape_argument,
)
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_PARTS = 64


def _view(name: str, make: Any) -> Operation:
    """A function of one array that gives a view."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        array = as_array(rank, arguments.get(0, "a"))
        return pure(rank, name, arguments) if array is None else make(rank, array, arguments)

    return call


def _reshape(rank: Rank, array: Array, arguments: Arguments) -> Value:
    shape = arguments.keywords.get("newshape", arguments.get(1, "shape"))
    return views.reshaped(rank, array, shape, arguments.get(2, "order", "C"))


def _reshape_method(rank: Rank, array: Value, arguments: Arguments) -> Value:
    known = as_array(rank, array)
    given = arguments.values[0] if len(arguments.values) == 1 else arguments.values
    shape = arguments.keywords.get("shape", given)
    if known is None:
        return pure(rank, "reshape", arguments)
    return views.reshaped(rank, known, shape, arguments.keywords.get("order", "C"))


def _transpose_method(rank: Rank, array: Array, arguments: Arguments) -> Value:
    given = arguments.values
    axes = given[0] if len(given) == 1 and not isinstance(given[0], int) else (given or None)
    return views.transposed(rank, array, axes)


def _swap(rank: Rank, array: Array, arguments: Arguments) -> Value:
    count = len(array.shape or ())
    one, other = (views.axis_of(arguments.get(at), count) if array.shape is not None else None for at in (1, 2))
    if one is None or other is None:
        return computed(rank, "swapaxes", arguments, None, array.dtype)
    order = list(range(count))
    order[one], order[other] = other, one
    return views.transposed(rank, array, order)


def _move(rank: Rank, array: Array, arguments: Arguments) -> Value:
    count = len(array.shape or ())
    one, other = (views.axis_of(arguments.get(at), count) if array.shape is not None else None for at in (1, 2))
    if one is None or other is None:
        return computed(rank, "moveaxis", arguments, None, array.dtype)
    order = [axis for axis in range(count) if axis != one]
    order.insert(other, one)
    return views.transposed(rank, array, order)


def _flatten(rank: Rank, array: Array, arguments: Arguments) -> Value:
    order = arguments.get(0, "order", "C")
    return views.raveled(rank, array.copy()) if order == "C" else views.raveled(rank, array, order).copy()


def _at_least(count: int) -> Any:
    def make(rank: Rank, array: Array, arguments: Arguments) -> Value:
        if array.shape is None:
            return computed(rank, f"atleast_{count}d", arguments, None, array.dtype)
        return _raised(rank, array, count)

    return make


def _raised(rank: Rank, array: Array, count: int) -> Array:
    shape = array.shape or ()
    return array if len(shape) >= count else views.reshaped(rank, array, (1,) * (count - len(shape)) + shape)


def _sequence(rank: Rank, value: Value) -> list[Array] | None:
    """The arrays that a call joins, None if one of them or their number is not known."""
    if isinstance(value, Array) and value.shape:
        value = [arrays.item(rank, value, at) for at in range(value.shape[0])] if value.shape[0] < MAX_PARTS else None
    if not isinstance(value, (list, tuple)) or isinstance(value, GuessedList):
        return None
    found = [as_array(rank, one) for one in value]
    known = [one for one in found if one is not None and one.shape is not None]
    return known if len(known) == len(found) else None


def joined(rank: Rank, parts: Sequence[Array], axis: Value) -> Array | None:
    """``concatenate``; None if the axis is not known."""
    if not parts:
        raise fail("ValueError")
    shapes = [part.shape or () for part in parts]
    at = views.axis_of(axis, len(shapes[0])) if shapes[0] else None
    if not shapes[0] or any(len(shape) != len(shapes[0]) for shape in shapes):
        raise fail("ValueError")
    if at is None:
        return None
    if len({shape[:at] + shape[at + 1 :] for shape in shapes}) > 1:
        raise fail("ValueError")
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = dtypes.promote(dtype, part.dtype)
    shape = (*shapes[0][:at], sum(one[at] for one in shapes), *shapes[0][at + 1 :])
    return _blocks(rank, parts, at, shape, dtype)


def _blocks(rank: Rank, parts: Sequence[Array], axis: int, shape: Shape, dtype: str) -> Array:
    lists = [part.cells for part in parts]
    if any(cells is None for cells in lists) or math.prod(shape) > MAX_ELEMENTS:
        return arrays.of_symbol(rank.symbol("joined", tuple(parts), axis), shape, dtype)
    inner = math.prod(shape[axis + 1 :])
    found: list[Value] = []
    for block in range(math.prod(shape[:axis])):
        for part, cells in zip(parts, lists, strict=True):
            width = (part.shape or ())[axis] * inner
            found += (cells or [])[block * width : (block + 1) * width]
    return arrays.of_cells([dtypes.cast(rank, cell, dtype) for cell in found], shape, dtype)


def _join(name: str, prepare: Any) -> Operation:
    """A function that joins a sequence of arrays: ``prepare`` gives the parts and the axis."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        parts = _sequence(rank, arguments.get(0, "arrays"))
        result = None
        if parts is not None:
            ready, axis = prepare(rank, parts, arguments)
            result = joined(rank, ready, axis)
        if result is None:
            result = computed(rank, name, arguments, None)
        return finished(rank, result, arguments.keywords.get("out"))

    return call


def _concatenate(rank: Rank, parts: list[Array], arguments: Arguments) -> tuple[list[Array], Value]:
    axis = arguments.get(1, "axis", 0)
    return ([views.raveled(rank, part) for part in parts], 0) if axis is None else (parts, axis)


def _stack(rank: Rank, parts: list[Array], arguments: Arguments) -> tuple[list[Array], Value]:
    axis = arguments.get(1, "axis", 0)
    if len({part.shape for part in parts}) > 1:
        raise fail("ValueError")
    return [views.expanded(rank, part, axis) for part in parts] if isinstance(axis, int) else parts, axis


def _vertical(rank: Rank, parts: list[Array], arguments: Arguments) -> tuple[list[Array], Value]:
    return [_raised(rank, part, 2) for part in parts], 0


def _horizontal(rank: Rank, parts: list[Array], arguments: Arguments) -> tuple[list[Array], Value]:
    ready = [_raised(rank, part, 1) for part in parts]
    return ready, 0 if ready and len(ready[0].shape or ()) == 1 else 1


def _columns(rank: Rank, parts: list[Array], arguments: Arguments) -> tuple[list[Array], Value]:
    return [views.reshaped(rank, one, (-1, 1)) if len(one.shape or ()) < 2 else one for one in parts], 1


def _append(rank: Rank, arguments: Arguments) -> Value:
    axis = arguments.get(2, "axis")
    parts = _sequence(rank, [arguments.get(0, "arr"), arguments.get(1, "values")])
    if parts is None:
        return computed(rank, "append", arguments, None)
    ready = [views.raveled(rank, part) for part in parts] if axis is None else parts
    result = joined(rank, ready, 0 if axis is None else axis)
    return computed(rank, "append", arguments, None) if result is None else result


def _split(name: str, is_even: bool) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        value, parts, axis = (
            arguments.get(0, "ary"),
            arguments.get(1, "indices_or_sections"),
            arguments.get(2, "axis", 0),
        )
        array = as_array(rank, value)
        if name in ("hsplit", "vsplit"):
            axis = 0 if name == "vsplit" or (array is not None and len(array.shape or ()) == 1) else 1
        cuts = views.lengths(parts)
        if cuts is None:
            count = _number_of_cuts(parts)
            if count is None:
                return pure(rank, name, arguments, "list")
            return _unknown_parts(rank, name, arguments, count + 1, array)
        count = cuts[0] if isinstance(parts, int) else len(cuts) + 1
        if count <= 0:
            raise fail("ValueError")
        at = views.axis_of(axis, len(array.shape)) if array is not None and array.shape else None
        if array is None or not array.shape or at is None or count > MAX_PARTS:
            return _unknown_parts(rank, name, arguments, count, array)
        length = array.shape[at]
        if not isinstance(parts, int):
            bounds = [0, *cuts, length]
        elif is_even and length % count:
            raise fail("ValueError")
        else:
            bounds = [index * (length // count) + min(index, length % count) for index in range(count + 1)]
        return [_slice(rank, array, at, low, high) for low, high in itertools.pairwise(bounds)]

    return call


def _number_of_cuts(parts: Value) -> int | None:
    """The number of indices whose values are not known."""
    if isinstance(parts, Array) and not parts.is_guessed:
        return parts.size if len(parts.shape or ()) == 1 else None
    return len(parts) if isinstance(parts, (list, tuple)) and not isinstance(parts, GuessedList) else None


def _slice(rank: Rank, array: Array, axis: int, low: int, high: int) -> Value:
    return arrays.item(rank, array, (*[slice(None)] * axis, slice(low, high)))


def _unknown_parts(rank: Rank, name: str, arguments: Arguments, count: int, array: Array | None) -> Value:
    whole = pure(rank, name, arguments, "list")
    if count > MAX_PARTS:
        return whole
    dtype = array.dtype if array is not None else ""
    return [arrays.unknown(rank.symbol("item", whole, at), dtype) for at in range(count)]


def _tile(rank: Rank, arguments: Arguments) -> Value:
    array, counts = as_array(rank, arguments.get(0, "A")), views.lengths(arguments.get(1, "reps"))
    if array is None or array.shape is None or counts is None or any(n < 0 for n in counts):
        return computed(rank, "tile", arguments, None, array.dtype if array is not None else "")
    count = max(len(counts), len(array.shape))
    own = (1,) * (count - len(array.shape)) + array.shape
    times = [1] * (count - len(counts)) + counts
    shape = tuple(n * m for n, m in zip(own, times, strict=True))
    strides = [math.prod(own[at + 1 :]) for at in range(count)]

    def offsets() -> list[int]:
        places = itertools.product(*(range(n) for n in shape))
        return [sum(i % n * s for i, n, s in zip(where, own, strides, strict=True)) for where in places]

    return gathered(rank, ("tile",), array, shape, offsets)


def _repeat(rank: Rank, arguments: Arguments) -> Value:
    array, times, axis = as_array(rank, arguments.get(0, "a")), arguments.get(1, "repeats"), arguments.get(2, "axis")
    if array is None or array.shape is None or isinstance(times, bool) or not isinstance(times, int) or times < 0:
        return computed(rank, "repeat", arguments, None, array.dtype if array is not None else "")
    if axis is not None and len(array.shape) != 1:
        at = views.axis_of(axis, len(array.shape))
        shape = None if at is None else (*array.shape[:at], array.shape[at] * times, *array.shape[at + 1 :])
        return computed(rank, "repeat", arguments, shape, array.dtype)
    size = array.size or 0
    return gathered(rank, ("repeat",), array, (size * times,), lambda: [at // times for at in range(size * times)])


def _roll(rank: Rank, arguments: Arguments) -> Value:
    array, shift, axis = as_array(rank, arguments.get(0, "a")), arguments.get(1, "shift"), arguments.get(2, "axis")
    if array is None:
        return pure(rank, "roll", arguments)
    size = array.size
    if not size or not isinstance(shift, int) or (axis is not None and len(array.shape or ()) != 1):
        return computed(rank, "roll", arguments, array.shape, array.dtype)
    return gathered(
        rank, ("roll", shift), array, array.shape or (), lambda: [(at - shift) % size for at in range(size)]
    )


def _flip(name: str) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        array, axis = as_array(rank, arguments.get(0, "m")), arguments.get(1, "axis")
        axis = {"flipud": 0, "fliplr": 1}.get(name, axis)
        axes = None if axis is None else views.lengths(axis)
        if array is None or array.shape is None or (axis is not None and axes is None):
            return computed(rank, name, arguments, None, array.dtype if array is not None else "")
        count = len(array.shape)
        turned = set(range(count)) if axes is None else {views.axis_of(one, count) for one in axes}
        return arrays.item(rank, array, tuple(slice(None, None, -1 if at in turned else 1) for at in range(count)))

    return call


def _pad(rank: Rank, arguments: Arguments) -> Value:
    array, widths = as_array(rank, arguments.get(0, "array")), arguments.get(1, "pad_width")
    if array is None or array.shape is None:
        return computed(rank, "pad", arguments, None)
    pairs = [widths] * len(array.shape) if isinstance(widths, int) else widths
    if isinstance(pairs, (list, tuple)) and len(pairs) == 2 and all(isinstance(n, int) for n in pairs):
        pairs = [tuple(pairs)] * len(array.shape) if not isinstance(widths, int) else pairs
    found = [views.lengths(pair) for pair in pairs] if isinstance(pairs, (list, tuple)) else [None]
    if len(found) != len(array.shape) or any(pair is None or len(pair) not in (1, 2) for pair in found):
        return computed(rank, "pad", arguments, None, array.dtype)
    added = [sum(pair) if len(pair) == 2 else 2 * pair[0] for pair in found if pair is not None]
    return computed(rank, "pad", arguments, tuple(n + m for n, m in zip(array.shape, added, strict=True)), array.dtype)


def _broadcast_to(rank: Rank, arguments: Arguments) -> Value:
    array, shape = as_array(rank, arguments.get(0, "array")), shape_argument(arguments.get(1, "shape"))
    return computed(rank, "broadcast_to", arguments, shape, array.dtype if array is not None else "")


def _take(rank: Rank, arguments: Arguments) -> Value:
    array, places, axis = as_array(rank, arguments.get(0, "a")), arguments.get(1, "indices"), arguments.get(2, "axis")
    if isinstance(out := arguments.get(3, "out"), Array):
        array_changes.forget(rank, out, "take", arguments.get(0, "a"), places)
        return out
    if array is None or array.shape is None or (axis not in (0, None)) or not isinstance(places, (int, list, Array)):
        return computed(rank, "take", arguments, None, array.dtype if array is not None else "")
    return arrays.item(rank, views.raveled(rank, array) if axis is None else array, places)


def _copy_to(rank: Rank, arguments: Arguments) -> Value:
    target = arguments.get(0, "dst")
    if isinstance(target, Array):
        if arguments.has(3, "where"):
            array_changes.forget(rank, target, "copyto", target.selection, *arguments.every())
        else:
            array_changes.assign(rank, target, ..., arguments.get(1, "src"))


def _same_shape(name: str) -> Operation:
    """A function whose result has the shape and the dtype of its first argument."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        array = as_array(rank, arguments.get(0))
        if array is None:
            return pure(rank, name, arguments)
        return computed(rank, name, arguments, array.shape, array.dtype)

    return call


_VIEWS: dict[str, Any] = {
    "reshape": _reshape,
    "ravel": lambda rank, array, arguments: views.raveled(rank, array, arguments.get(1, "order", "C")),
    "transpose": lambda rank, array, arguments: views.transposed(rank, array, arguments.get(1, "axes")),
    "swapaxes": _swap,
    "moveaxis": _move,
    "squeeze": lambda rank, array, arguments: views.squeezed(rank, array, arguments.get(1, "axis")),
    "expand_dims": lambda rank, array, arguments: views.expanded(rank, array, arguments.get(1, "axis")),
    "atleast_1d": _at_least(1),
    "atleast_2d": _at_least(2),
    "atleast_3d": _at_least(3),
}
_CALLS: dict[str, Operation] = {
    **{name: _view(name, make) for name, make in _VIEWS.items()},
    "concatenate": _join("concatenate", _concatenate),
    "stack": _join("stack", _stack),
    "vstack": _join("vstack", _vertical),
    "row_stack": _join("vstack", _vertical),
    "hstack": _join("hstack", _horizontal),
    "column_stack": _join("column_stack", _columns),
    "append": _append,
    **{name: _split(name, name != "array_split") for name in ("split", "array_split", "hsplit", "vsplit")},
    "tile": _tile,
    "repeat": _repeat,
    "roll": _roll,
    **{name: _flip(name) for name in ("flip", "flipud", "fliplr")},
    "pad": _pad,
    "broadcast_to": _broadcast_to,
    "take": _take,
    "copyto": _copy_to,
    **{name: _same_shape(name) for name in ("tril", "triu")},
}
FUNCTIONS: dict[str, Any] = {f"numpy.{name}": call for name, call in _CALLS.items()}
_OF_NUMBERS: dict[str, Operation] = {"reshape": _reshape_method}
METHODS: dict[str, dict[str, Operation]] = {
    "array": {
        **{name: as_method(_CALLS[name]) for name in ("ravel", "squeeze", "swapaxes", "repeat", "take")},
        "reshape": _reshape_method,
        "transpose": _transpose_method,
        "flatten": _flatten,
    },
    **dict.fromkeys(dtypes.KINDS, _OF_NUMBERS),
}
