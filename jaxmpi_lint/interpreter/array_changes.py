"""Changes of arrays in place: elements that are assigned, received, or no longer known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import dtypes, indexing
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape, from_nested, item, offsets_chosen
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def assign(rank: Rank, array: Array, index: Value, value: Value) -> None:
    """``array[index] = value``."""
    if array.is_jax:
        raise fail("TypeError")
    if array.store.is_foreign:
        return
    array.store.total = None
    if array.is_whole and isinstance(value, (bool, int, float, complex)):
        expand(rank, array)
    if array.is_whole and indexing.is_everything(index):
        array.store.symbol = rank.symbol("assigned", value)
        return
    places = _targets(array, index)
    if places is None or array.indices is None or array.store.cells is None:
        part = item(rank, array, index)
        if not (isinstance(part, Array) and part.store is array.store and _replace(rank, part, "assigned", value)):
            forget(rank, array, "assigned", array.selection, index, value)
        return
    shape, offsets = places
    if array.dtype not in dtypes.SIZES and isinstance(value, (list, tuple, range, Array)):
        _store_objects(rank, array, shape, offsets, value)
        return
    for offset, cell in zip(offsets, _broadcast(rank, value, shape, len(offsets)), strict=True):
        array.store.cells[array.indices[offset]] = dtypes.cast(rank, cell, array.dtype)


def _store_objects(rank: Rank, array: Array, shape: Shape, offsets: list[int], value: Value) -> None:
    """Assign a sequence to elements that may hold one, or a record."""
    if shape == () and array.indices is not None and array.store.cells is not None:
        array.store.cells[array.indices[offsets[0]]] = value
    else:
        forget(rank, array, "assigned", array.selection, value)


def _targets(array: Array, index: Value) -> tuple[Shape, list[int]] | None:
    """The shape and the offsets of what an index selects, None if they are not known."""
    if array.shape is None:
        return None
    keys = indexing.full(index, array.shape)
    if keys is not None:
        shape, offsets = indexing.positions(array.shape, keys)
        return shape, offsets() if (array.size or 0) <= MAX_ELEMENTS else []
    chosen = offsets_chosen(array.shape, index)
    if chosen is None:
        return None
    inner = math.prod(array.shape[1:]) if chosen[1] else 1
    shape = (len(chosen[0]), *(array.shape[1:] if chosen[1] else ()))
    return shape, [row * inner + offset for row in chosen[0] for offset in range(inner)]


def _broadcast(rank: Rank, value: Value, shape: Shape, count: int) -> list[Value]:
    if isinstance(value, (list, tuple, range)):
        value = from_nested(rank, value, "")
    if isinstance(value, Array):
        cells = value.cells
        if cells is None or value.shape is None:
            return [rank.symbol("cell", value, position) for position in range(count)]
        if len(cells) == count:
            return cells
        if len(cells) == 1:
            return cells * count
        own = tuple(length for length in value.shape)
        if own and len(own) <= len(shape) and shape[-len(own) :] == own:
            return cells * (count // len(cells)) if cells else []
        if len(own) <= len(shape) and all(a in (1, b) for a, b in zip(own[::-1], shape[::-1], strict=False)):
            return [rank.symbol("cell", value, position) for position in range(count)]
        raise fail("ValueError")
    return [value] * count


def repeated(rank: Rank, value: Value, count: int | None) -> list[Value] | None:
    """The elements of a value, begun again at its end until there are enough; None if they are not known."""
    if isinstance(value, (list, tuple, range)):
        value = from_nested(rank, value, "")
    cells = value.cells if isinstance(value, Array) else [value] if isinstance(value, (int, float, complex)) else None
    if cells is None or count is None or count > MAX_ELEMENTS:
        return None
    return [cells[at % len(cells)] for at in range(count)] if cells else []


def assign_cells(rank: Rank, array: Array, values: list[Value] | None, *why: Value) -> None:
    """Replace all elements in C order; by symbols of what changed them if they are not known."""
    if array.store.is_foreign:
        return
    array.store.total = None
    expand(rank, array)
    cells = array.store.cells
    if values is None or cells is None or array.indices is None or len(values) != len(array.indices):
        forget(rank, array, array.selection, *why)
        return
    for index, value in zip(array.indices, values, strict=True):
        cells[index] = dtypes.cast(rank, value, array.dtype)


def chosen_places(array: Array, index: Value) -> list[int] | None:
    """The offsets of what an index selects, in the order of the selection; None if they are not known."""
    places = _targets(array, index)
    return None if places is None or (array.size or 0) > MAX_ELEMENTS else places[1]


def forget(rank: Rank, array: Array, *why: Value, is_guess: bool = False, is_perhaps: bool = False) -> None:
    """Replace the elements of the store by a symbol of what changed them; a guess if an unknown call may have.

    ``is_perhaps`` if it is not known whether something did, as other ranks in a window.
    """
    store = array.store
    if store.is_foreign:
        return
    store.total = None
    before = store.symbol if store.cells is None else tuple(store.cells)
    symbol = rank.symbol("perhaps changed" if is_guess or is_perhaps else "changed", before, *why, is_guess=is_guess)
    if store.cells is not None:
        store.cells = [rank.symbol("cell", symbol, position) for position in range(len(store.cells))]
    else:
        store.symbol = symbol


def write(rank: Rank, array: Array, result: Value) -> None:
    """Replace all elements by those of a result."""
    if array.store.is_foreign:
        return
    array.store.total = None
    cells = result.cells if isinstance(result, Array) else None
    if array.indices is not None and array.store.cells is not None and cells is not None:
        fill(rank, array, [dtypes.cast(rank, cell, array.dtype) for cell in cells], rank.symbol("changed", result))
    elif array.is_whole:
        array.store.symbol = rank.symbol("changed", result)
    elif not _replace(rank, array, "changed", result):
        forget(rank, array, array.selection, result)


def expand(rank: Rank, array: Array) -> None:
    """Give the elements of a small store, of which one symbol stands for all, a symbol each."""
    store = array.store
    if store.cells is None and store.size is not None and store.size <= MAX_ELEMENTS and array.shape is not None:
        store.cells = [rank.symbol("cell", store.symbol, position) for position in range(store.size)]
    array.find_cells()


def fill(rank: Rank, array: Array, values: list[Value] | None, symbol: Symbol) -> None:
    """Write received elements; those that are not known become parts of a symbol."""
    if array.store.is_foreign:
        return
    array.store.total = None
    if array.store.cells is None and array.size is not None and array.size != array.store.size:
        expand(rank, array)
    array.find_cells()
    if array.indices is not None and array.store.cells is not None:
        for position, target in enumerate(array.indices):
            known = values is not None and position < len(values)
            if known:
                array.store.cells[target] = values[position]  # type: ignore[index]
            elif values is None:
                array.store.cells[target] = rank.symbol("cell", symbol, position)
    elif array.store.cells is not None:
        forget(rank, array, array.selection, symbol)
    elif array.shape is None or array.size == array.store.size:
        array.store.symbol, array.selection = symbol, None
    elif not _replace(rank, array, "changed", symbol):
        array.store.symbol = rank.symbol("changed", array.store.symbol, array.selection, symbol)


def _replace(rank: Rank, array: Array, *content: Value) -> bool:
    """Replace a range of the cells for which one symbol stands; false if the array is no such range.

    What was in the range before does not count any more, so memory that ranks fill part by part becomes equal.
    """
    store, span = array.store, array.span
    if store.symbol is None or span is None or array.layout != "C" or array.size != span[1] - span[0]:
        return False
    if store.symbol is not store.combined:
        store.base, store.parts = store.symbol, {}
    for other in [one for one in store.parts if span[0] <= one[0] and one[1] <= span[1]]:
        del store.parts[other]
    store.parts[span] = content
    changes = [value for part in store.parts.items() for value in part]
    store.symbol = store.combined = rank.symbol("parts", store.base, *changes)
    return True
