"""Arrays: shape and dtype are exact, the elements are known up to a size, otherwise one symbol stands for them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import dtypes, extents, indexing
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_ELEMENTS = 256
"""Arrays of more elements are represented by a symbol."""

Shape = tuple[int, ...]


STRIDED = "strided"
"""The layout of a view with gaps between its elements."""


@dataclass(slots=True, eq=False)
class Store:
    """The memory of arrays: ``cells``, or a symbol for all of them, at first ``origin``.

    ``uses`` are pending requests, ``total`` the sum over all ranks that the memory holds. ``parts`` are the changes of
    ranges of cells since the symbol was ``base``, from which ``combined`` is made. ``is_foreign`` if other ranks or
    unknown code may change the memory, so that its content is never known. ``is_by_columns`` if it was made in the
    order of Fortran.
    """

    cells: list[Value] | None
    symbol: Symbol | None = None
    size: int | None = None
    uses: list[Any] = field(default_factory=list)
    total: Any = None
    is_foreign: bool = False
    base: Symbol | None = None
    parts: dict[tuple[int, int], Value] = field(default_factory=dict)
    combined: Symbol | None = None
    is_by_columns: bool = False
    origin: Symbol | None = field(init=False)

    def __post_init__(self) -> None:
        self.origin = self.symbol


@dataclass(slots=True, eq=False)
class Array:
    """A view of a store: ``indices`` are its cells in C order (None: unknown or too many).

    ``shape`` is None if unknown; a dimension of unknown length makes the whole shape unknown. ``dtype`` is numpy's
    name or an empty text. ``span`` is the range of cells of a contiguous view of a symbolic store, ``layout`` is C, F,
    `STRIDED` or an empty text for a view that may not be contiguous. ``is_jax`` for immutable arrays of JAX.
    ``is_head`` for one of unknown shape that begins where its store begins. ``is_selected`` for the copy that an index
    of positions or a mask makes. ``is_some`` for elements that an operation selects, it is not known which.
    ``reshaped_from`` is the shape before the last `reshape`.
    """

    store: Store
    shape: Shape | None
    dtype: str = "float64"
    indices: list[int] | None = None
    span: tuple[int, int] | None = None
    layout: str = "C"
    is_jax: bool = False
    selection: object = None
    is_guessed: bool = False
    is_head: bool = False
    is_selected: bool = False
    is_some: bool = False
    reshaped_from: Shape | None = None

    @property
    def begins_store(self) -> bool:
        """Whether the first element of the store is part of it, if it has elements at all."""
        known = self.indices[0] if self.indices else self.span[0] if self.span is not None else None
        return self.is_head or known == 0

    @property
    def is_whole(self) -> bool:
        """Whether this is all of a store of which the elements are not known."""
        if self.store.cells is not None or (self.selection is not None and self.selection is not self.store.origin):
            return False
        return self.shape is None or (self.span is not None and self.span == (0, self.store.size))

    @property
    def size(self) -> int | None:
        """The number of elements."""
        return None if self.shape is None else math.prod(self.shape)

    @property
    def cells(self) -> list[Value] | None:
        """The elements in C order, None if they are not known."""
        self.find_cells()
        if self.store.cells is None or self.indices is None:
            return None
        return [self.store.cells[index] for index in self.indices]

    def find_cells(self) -> None:
        """Look up the cells of a view whose store got some since the view was made."""
        if self.indices is not None or self.store.cells is None or self.span is None or self.layout != "C":
            return
        if self.span[1] - self.span[0] == self.size:
            self.indices = list(range(*self.span))

    def freeze(self, depth: int) -> object:
        """Shape, dtype and elements."""
        cells = self.cells
        held = self.store.cells if cells is None else cells
        content = freeze(self.store.symbol, depth) if held is None else tuple(freeze(c, depth) for c in held)
        is_replaced = self.is_whole and self.store.symbol is not self.store.origin
        selected = None if cells is not None or is_replaced else freeze(self.selection, depth)
        if cells is None and self.span not in (None, (0, self.store.size)):
            selected = ("span", self.span, selected)
        return "array", self.shape, self.dtype, content, selected

    def copy(self) -> Array:
        """An array with a store of its own."""
        cells = self.cells
        if cells is None:
            store = Store(None, self.store.symbol, self.size)
            span = None if self.size is None else (0, self.size)
            kept = (self.selection, self.is_guessed, self.shape is None)
            return Array(store, self.shape, self.dtype, None, span, "C", False, *kept)
        return of_cells(cells, self.shape, self.dtype)


def of_cells(cells: list[Value], shape: Shape | None, dtype: str) -> Array:
    """An array of known elements."""
    return Array(Store(list(cells), None, len(cells)), shape, dtype, list(range(len(cells))), (0, len(cells)))


def of_symbol(symbol: Symbol, shape: Shape | None, dtype: str) -> Array:
    """An array whose elements are one symbol; a scalar one has it as its element."""
    size = None if shape is None else math.prod(shape)
    if size == 1:
        return of_cells([symbol], shape, dtype)
    return Array(Store(None, symbol, size), shape, dtype, None, None if size is None else (0, size))


def filled(rank: Rank, shape: Value, value: Value, dtype: str) -> Value:
    """An array with one value everywhere; a symbol if the shape is not known."""
    known = as_shape(shape)
    if known is None:
        return Array(Store(None, rank.symbol("filled", shape, value)), None, dtype, selection=shape, is_head=True)
    if math.prod(known) <= MAX_ELEMENTS:
        return of_cells([value] * math.prod(known), known, dtype)
    return of_symbol(rank.symbol("filled", shape, value), known, dtype)


def as_shape(value: Value) -> Shape | None:
    """A shape given as a number or sequence, None if it is not known."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return (value,) if value >= 0 else None
    if isinstance(value, (list, tuple)) and all(isinstance(n, int) and n >= 0 for n in value):
        return tuple(value)
    return None


def unknown(symbol: Symbol, dtype: str = "") -> Array:
    """An array of which only the computation is known."""
    return Array(Store(None, symbol), None, dtype, selection=symbol, is_head=True)


def from_nested(rank: Rank, value: Value, dtype: str) -> Array:
    """An array of nested lists, another array or a number."""
    if isinstance(value, Array):
        copied = value.copy()
        copied.layout = "C" if value.layout == "C" else ""  # numpy keeps the order
        copied.dtype = dtype or value.dtype
        if copied.store.cells is not None:
            copied.store.cells = [dtypes.cast(rank, cell, dtype) for cell in copied.store.cells]
        return copied
    shape, cells, found = _flatten(value)
    dtype = dtype or _common(found)
    if shape is None:
        return unknown(rank.symbol("array", value), dtype)
    if cells is None or len(cells) > MAX_ELEMENTS:
        return of_symbol(rank.symbol("array", value), shape, dtype)
    return of_cells([dtypes.cast(rank, cell, dtype) for cell in cells], shape, dtype)


def _flatten(value: Value) -> tuple[Shape | None, list[Value] | None, set[str]]:
    """Shape, elements and dtypes of nested sequences; a guessed length makes the shape unknown."""
    if isinstance(value, (int, float, complex)) or (isinstance(value, Symbol) and value.kind in dtypes.KINDS):
        return (), [value], {dtypes.of_scalar(value)}
    if isinstance(value, Array):
        return value.shape, value.cells, {value.dtype}
    if not isinstance(value, (list, tuple, range)) or len(value) > MAX_ELEMENTS:
        return None, None, {""}
    parts = [_flatten(item) for item in value]
    if isinstance(value, GuessedList):
        return None, None, {name for _, _, names in parts for name in names} or {""}
    found = {name for _, _, names in parts for name in names} or {"float64"}
    shapes = {shape for shape, _, _ in parts}
    if len(shapes) > 1 or None in shapes:
        return None, None, found
    inner = shapes.pop() if shapes else ()
    assert inner is not None
    cells = [cell for _, part, _ in parts for cell in part or ()]
    is_known = all(part is not None for _, part, _ in parts)
    return (len(value), *inner), cells if is_known else None, found


def _common(names: set[str]) -> str:
    ordered = sorted(names)
    common = ordered[0]
    for name in ordered[1:]:
        common = dtypes.promote(common, name)
    return common


def scalar(rank: Rank, array: Array) -> Value:
    """The element of an array of one element."""
    cells = array.cells
    if cells is not None and len(cells) == 1:
        return cells[0]
    if array.size == 0:
        raise Cut("the truth of an empty array")
    if array.size is not None and array.size != 1:
        raise fail("ValueError")
    return rank.symbol("element", array)


def item(rank: Rank, array: Array, index: Value) -> Value:
    """``array[index]``: an element, a view, or a selection by a mask."""
    if array.shape is None:
        return _marked(_unknown_part(rank, array, index), index)
    if index is None or (isinstance(index, tuple) and any(key is None for key in index)):
        return _with_new_axes(rank, array, index if isinstance(index, tuple) else (index,))
    keys = indexing.full(index, array.shape)
    if keys is None:
        is_view = indexing.is_view(index)
        return _unknown_part(rank, array, index) if is_view else _marked(_selected(rank, array, index), index)
    shape, offsets = indexing.positions(array.shape, keys)
    array.find_cells()
    is_element = not shape and all(isinstance(key, int) for key in keys)
    if array.indices is None:
        return _symbolic_part(rank, array, index, shape, offsets)
    indices = [array.indices[offset] for offset in offsets()]
    if is_element:
        cells = array.store.cells
        if cells is None:
            return rank.symbol("element", array, index, kind=dtypes.kind_of(array.dtype))
        return dtypes.as_scalar(cells[indices[0]], array.dtype)
    span, layout = _span_of(indices) if array.layout else (None, "")
    return Array(array.store, shape, array.dtype, indices, span, layout, array.is_jax)


def _marked(part: Value, index: Value) -> Value:
    """A part of an array that says whether its index surely makes a copy."""
    keys = index if isinstance(index, tuple) else (index,)
    if isinstance(part, Array) and any(isinstance(key, list) or _is_axis_of_positions(key) for key in keys):
        part.is_selected = True
    return part


def _is_axis_of_positions(key: Value) -> bool:
    """Whether a key is an array of positions or a mask; one without axes would be a position."""
    if not isinstance(key, Array) or dtypes.family(key.dtype) > dtypes.INTEGERS:
        return False
    made = key.store.symbol.words(2) if key.shape is None and key.store.symbol is not None else set()
    return bool(key.shape) or bool(made & _WITH_AXES)


_WITH_AXES = frozenset(
    "argsort argwhere arange compress flatnonzero nonzero setdiff1d intersect1d union1d unique".split()
)
"""Functions whose results have an axis, whatever they are given."""


def _with_new_axes(rank: Rank, array: Array, keys: tuple[Value, ...]) -> Value:
    """An index with ``None``: axes of length one in a view."""
    part = item(rank, array, tuple(key for key in keys if key is not None))
    if not isinstance(part, Array):
        return from_nested(rank, part, array.dtype)
    if part.shape is None or any(not isinstance(key, (int, type(None))) and not indexing.is_slice(key) for key in keys):
        return unknown(rank.symbol("part", array, keys), array.dtype)
    shape = list(part.shape)
    if any(key is ... for key in keys):
        at = next(position for position, key in enumerate(keys) if key is ...)
        after = sum(1 for key in keys[at + 1 :] if indexing.is_slice(key))
        before = sum(1 for key in keys[:at] if indexing.is_slice(key))
        keys = (*keys[:at], *[slice(None)] * (len(shape) - after - before), *keys[at + 1 :])
    position = 0
    for key in keys:
        if key is None:
            shape.insert(position, 1)
        position += not isinstance(key, int)
    return dataclasses.replace(part, shape=tuple(shape))


def _span_of(indices: list[int]) -> tuple[tuple[int, int] | None, str]:
    if not indices:
        return (0, 0), "C"
    if indices == list(range(indices[0], indices[0] + len(indices))):
        return (indices[0], indices[-1] + 1), "C"
    return None, STRIDED if max(indices) - min(indices) >= len(indices) else ""


def _unknown_part(rank: Rank, array: Array, index: Value) -> Value:
    symbol = rank.symbol("part", array, index)
    if isinstance(index, int):
        return symbol
    is_head = array.begins_store and indexing.begins(index)
    return Array(array.store, None, array.dtype, selection=symbol, is_jax=array.is_jax, is_head=is_head)


def _symbolic_part(rank: Rank, array: Array, index: Value, shape: Shape, offsets: Callable[[], Sequence[int]]) -> Value:
    if not shape and array.size == array.store.size and array.store.symbol is not None:
        return rank.symbol("cell", array.store.symbol, offsets()[0], kind=dtypes.kind_of(array.dtype))
    if not shape:
        return rank.symbol("element", array, index, kind=dtypes.kind_of(array.dtype))
    size = math.prod(shape)
    span, layout = None, "C"
    if array.span is not None and array.shape is not None:
        span = extents.span(array.span[0], array.shape, index) if array.layout == "C" else None
        is_strided = array.layout == "C" and extents.axes(array.shape, index) is not None
        layout = "C" if span is not None else STRIDED if is_strided else ""
    selection = rank.symbol("part", array, index)
    if size == array.size:
        return Array(array.store, shape, array.dtype, None, array.span, layout, array.is_jax, array.selection)
    return Array(array.store, shape, array.dtype, None, span, layout, array.is_jax, selection)


def _selected(rank: Rank, array: Array, index: Value) -> Value:
    """A selection by a mask, by a list of positions, or by what is not known."""
    assert array.shape is not None
    if isinstance(index, Symbol) and index.kind in ("int", "int32") and len(array.shape) == 1:
        return rank.symbol("element", array, index, kind=dtypes.kind_of(array.dtype))
    symbol = rank.symbol("selected", array, index)
    chosen = offsets_chosen(array.shape, index)
    if chosen is None and isinstance(index, Array) and _holds_positions(index):
        shape = (*(index.shape or ()), *array.shape[1:])
        return dataclasses.replace(of_symbol(symbol, shape, array.dtype), is_jax=array.is_jax)
    if chosen is None:
        return dataclasses.replace(unknown(symbol, array.dtype), is_jax=array.is_jax)
    offsets, are_rows = chosen
    shape = (len(offsets), *(array.shape[1:] if are_rows else ()))
    cells = array.cells
    if cells is None or math.prod(shape) > MAX_ELEMENTS:
        return dataclasses.replace(of_symbol(symbol, shape, array.dtype), is_jax=array.is_jax)
    inner = math.prod(array.shape[1:]) if are_rows else 1
    kept = [cells[row * inner + offset] for row in offsets for offset in range(inner)]
    return dataclasses.replace(of_cells(kept, shape, array.dtype), is_jax=array.is_jax)


def _holds_positions(index: Array) -> bool:
    """Whether an index selects as many rows as it has elements, wherever they are."""
    return bool(index.shape) and not index.is_guessed and dtypes.family(index.dtype) == dtypes.INTEGERS


def offsets_chosen(shape: Shape, index: Value) -> tuple[list[int], bool] | None:
    """The offsets that a mask or list of positions selects; true if they are those of rows."""
    if isinstance(index, list) and not isinstance(index, GuessedList) and index:
        positions: list[Value] | None = index
        is_whole = False
    elif isinstance(index, Array) and not index.is_guessed and index.shape:
        positions, is_whole = index.cells, index.shape == shape
        if len(index.shape) > 1 and not (is_whole and index.dtype == "bool"):
            return None
    else:
        return None
    if not positions or not shape:
        return None
    if all(isinstance(one, bool) for one in positions):
        if not is_whole and len(positions) != shape[0]:
            return None
        return [at for at, keep in enumerate(positions) if keep], not is_whole or len(shape) == 1
    if any(isinstance(one, bool) or not isinstance(one, int) for one in positions):
        return None
    if any(not -shape[0] <= one < shape[0] for one in positions):
        raise fail("IndexError")
    return [one % shape[0] for one in positions], True
