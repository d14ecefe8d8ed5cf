"""Views of arrays: other shapes and orders of axes on the same memory."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import array_changes, dtypes
from jaxmpi_lint.interpreter.arrays import Array, Shape, of_cells, unknown
from jaxmpi_lint.interpreter.memory_order import like_operands
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def lengths(value: Value) -> list[int] | None:
    """A shape or list of axes given as a number, a sequence or an array; None if it is not known."""
    if isinstance(value, Array):
        value = value.cells
    several = [value] if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(several, (list, tuple)) and all(isinstance(n, int) and not isinstance(n, bool) for n in several):
        return [int(n) for n in several]
    return None


def reshaped(rank: Rank, array: Array, shape: Value, order: Value = "C") -> Array:
    """Another shape of the same elements: a view where numpy gives one."""
    wanted, order = lengths(shape), _known_order(array, order)
    if array.shape is not None and wanted is not None and order == "F":
        turned = _fitting(wanted, math.prod(array.shape))[::-1]
        return transposed(rank, reshaped(rank, transposed(rank, array), turned))
    if array.shape is None or wanted is None or order != "C":
        return unknown(rank.symbol("reshaped", array, shape, order), array.dtype)
    total = math.prod(array.shape)
    found = _fitting(wanted, total)
    if array.indices is None and array.layout != "C" and found != array.shape:
        return Array(array.copy().store, found, array.dtype, selection=rank.symbol("reshaped", array, found))
    if array.indices is not None and array.layout != "C" and not _is_view(array.shape, found):
        copied = array.copy()
        return Array(copied.store, found, array.dtype, copied.indices, copied.span, "C", array.is_jax)
    made = _with_shape(array, found)
    made.reshaped_from = array.shape
    return made


def _known_order(array: Array, order: Value) -> Value:
    """``C`` or ``F`` for the order of memory that a call asks for, if it is known."""
    if order in ("A", "K") and array.layout in ("C", "F"):
        return array.layout
    return "C" if order is None else order


def _is_view(shape: Shape, wanted: Shape) -> bool:
    """Whether a part that is not contiguous keeps its memory: only axes of length one differ."""
    return [n for n in shape if n != 1] == [n for n in wanted if n != 1]


def _fitting(wanted: list[int], total: int) -> Shape:
    known = math.prod(n for n in wanted if n >= 0)
    if sum(n < 0 for n in wanted) > 1:
        raise fail("ValueError")
    if any(n < 0 for n in wanted):
        if known == 0 or total % known:
            raise fail("ValueError")
        return tuple(total // known if n < 0 else n for n in wanted)
    if known != total:
        raise fail("ValueError")
    return tuple(wanted)


def _with_shape(array: Array, shape: Shape | None, layout: str = "") -> Array:
    kept = (array.indices, array.span, layout or array.layout, array.is_jax, array.selection, array.is_guessed)
    return Array(array.store, shape, array.dtype, *kept)


def axis_of(value: Value, count: int) -> int | None:
    """An axis as a number from 0, None if it is not known."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    if not -count <= value < count:
        raise fail("ValueError")
    return int(value) % count


def transposed(rank: Rank, array: Array, axes: Value = None) -> Array:
    """The axes in another order, by default reversed."""
    if array.shape is None:
        return unknown(rank.symbol("transposed", array, axes), array.dtype)
    count = len(array.shape)
    given = list(range(count))[::-1] if axes is None else lengths(axes)
    if given is None:
        return unknown(rank.symbol("transposed", array, axes), array.dtype)
    order = [axis for axis in (axis_of(one, count) for one in given) if axis is not None]
    if sorted(order) != list(range(count)):
        raise fail("ValueError")
    if order == list(range(count)):
        return _with_shape(array, array.shape)
    shape = tuple(array.shape[axis] for axis in order)
    layout = {"C": "F", "F": "C"}.get(array.layout, "") if order == list(range(count))[::-1] else ""
    if sum(n > 1 for n in shape) <= 1:
        return _with_shape(array, shape)
    if array.indices is None:
        selection = rank.symbol("transposed", array, tuple(order))
        return Array(array.store, shape, array.dtype, None, array.span, layout, array.is_jax, selection)
    strides = [math.prod(array.shape[axis + 1 :]) for axis in range(count)]
    places = itertools.product(*(range(length) for length in shape))
    indices = [
        array.indices[sum(at * strides[axis] for at, axis in zip(where, order, strict=True))] for where in places
    ]
    return Array(array.store, shape, array.dtype, indices, array.span, layout, array.is_jax)


def copied(rank: Rank, array: Array) -> Array:
    """A copy whose memory numpy orders as that of the array, which ``numpy.array`` and ``numpy.copy`` do by default."""
    if array.layout != "F" or array.shape is None:
        return like_operands(array.copy(), (array,))
    made = transposed(rank, transposed(rank, array).copy())
    made.store.is_by_columns = array.store.is_by_columns
    return replace(made, is_jax=array.is_jax, is_guessed=array.is_guessed)


def in_order(rank: Rank, array: Array, order: Value) -> Array:
    """A new array whose memory has an order: that of Fortran matters with two axes or more.

    Before release 2, numpy read the first letter of the order only (``fortran``).
    """
    is_of_fortran = isinstance(order, str) and order[:1] in ("F", "f")
    if not is_of_fortran or array.shape is None or sum(n > 1 for n in array.shape) < 2:
        return array
    turned = transposed(rank, array)
    cells = turned.cells
    if cells is None:
        array.layout = "F"
        return array
    made = transposed(rank, of_cells(cells, turned.shape, array.dtype))
    made.store.is_by_columns = True
    return replace(made, is_jax=array.is_jax, is_guessed=array.is_guessed)


def raveled(rank: Rank, array: Array, order: Value = "C") -> Array:
    """One axis: a view of contiguous elements, otherwise a copy."""
    if array.shape is None:
        return unknown(rank.symbol("reshaped", array, -1, order), array.dtype)
    order = _known_order(array, order)
    if order == "F":
        return reshaped(rank, transposed(rank, array), math.prod(array.shape))
    return reshaped(rank, array, math.prod(array.shape), order)


def flat(rank: Rank, array: Array) -> Array:
    """``array.flat``: what is written there reaches the array, whatever its order."""
    if array.shape is None or array.layout == "C":
        return raveled(rank, array)
    selection = array.selection if array.indices is not None else rank.symbol("flat", array)
    kept = (array.indices, None, "", array.is_jax, selection, array.is_guessed)
    return Array(array.store, (math.prod(array.shape),), array.dtype, *kept)


def squeezed(rank: Rank, array: Array, axis: Value = None) -> Array:
    """Without axes of length one."""
    axes = None if axis is None else lengths(axis)
    if array.shape is None or (axis is not None and axes is None):
        return unknown(rank.symbol("squeezed", array, axis), array.dtype)
    if axes is None:
        return _with_shape(array, tuple(n for n in array.shape if n != 1))
    dropped = {axis_of(one, len(array.shape)) for one in axes}
    if any(array.shape[one] != 1 for one in dropped if one is not None):
        raise fail("ValueError")
    return _with_shape(array, tuple(n for at, n in enumerate(array.shape) if at not in dropped))


def expanded(rank: Rank, array: Array, axis: Value) -> Array:
    """With another axis of length one."""
    if array.shape is None or not isinstance(axis, int):
        return unknown(rank.symbol("expanded", array, axis), array.dtype)
    at = axis_of(axis, len(array.shape) + 1)
    assert at is not None
    return _with_shape(array, (*array.shape[:at], 1, *array.shape[at:]))


def with_dtype(rank: Rank, array: Array, dtype: str) -> Array:
    """A copy with another dtype."""
    copied = like_operands(array.copy(), (array,))
    copied.dtype = dtype
    if copied.cells is not None:
        copied.store.cells = [dtypes.cast(rank, cell, dtype) for cell in copied.cells]
    return copied


def set_attribute(rank: Rank, array: Array, name: str, value: Value) -> None:
    """``array.shape = ...``; other attributes are not followed."""
    if name in ("shape", "dtype", "strides") and name != "shape":
        raise Cut("an array whose memory is read in a different way")
    if name == "shape":
        array.shape = reshaped(rank, array, value).shape
    if name == "flat":
        array_changes.assign_cells(rank, array, array_changes.repeated(rank, value, array.size), "flat", value)
    elif name in ("real", "imag", "T"):
        array_changes.forget(rank, array, name, value)
