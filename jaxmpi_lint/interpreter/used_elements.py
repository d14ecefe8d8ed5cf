"""Which elements of an array an operation of MPI uses, and whether two operations must share one.

A count limits the operation to the first elements in memory. A derived datatype selects elements that are not known
here: such an operation meets only another one that uses all elements that it can select from.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jaxmpi_lint.interpreter.arrays import Array


def some(array: Array) -> Array:
    """Elements of an array, it is not known which."""
    return replace(array, is_some=True)


def stretches(array: Array, parts: Iterable[range]) -> Array:
    """Ranges of elements of an array, counted in the order of the memory."""
    given = sorted((part for part in parts if part), key=lambda part: part.start)
    if not given:
        return replace(array, shape=(0,), indices=[], span=(0, 0))
    if array.indices is not None:
        cells = sorted(array.indices)
        kept = sorted({cell for part in given for cell in cells[part.start : part.stop]})
        return replace(array, shape=(len(kept),), indices=kept, span=None)
    if any(later.start > earlier.stop for earlier, later in pairwise(given)):
        return some(array)
    first, end = given[0].start, max(part.stop for part in given)
    if array.span is not None and array.layout in ("C", "F"):
        start, stop = array.span
        return replace(array, shape=(end - first,), span=(start + first, min(start + end, stop)))
    if array.shape is None and array.begins_store and first == 0:
        return replace(array, selection=(array.selection, end), is_head=True)
    return some(array)


def in_memory_order(array: Array) -> Array:
    """The elements in the order in which a message carries them."""
    if array.layout != "F" or array.indices is None:
        return array
    return replace(array, shape=(len(array.indices),), indices=sorted(array.indices), layout="C")


def overlap(one: Array, other: Array) -> bool:
    """Whether both surely share an element."""
    if one.store is not other.store or (one.is_some and other.is_some):
        return False
    if one.is_some or other.is_some:
        return _contains(other, one) if one.is_some else _contains(one, other)
    if one.indices is not None and other.indices is not None:
        return bool(set(one.indices) & set(other.indices))
    mine, theirs = one.span, other.span
    if mine is None or theirs is None:
        return (one.selection is None and other.selection is None) or (one.begins_store and other.begins_store)
    return mine[0] < theirs[1] and theirs[0] < mine[1]


def _contains(whole: Array, part: Array) -> bool:
    """Whether one array surely has all elements of the other."""
    if whole.indices is not None and part.indices is not None:
        return set(part.indices) <= set(whole.indices)
    if whole.span is not None and part.span is not None:
        return whole.span[0] <= part.span[0] and part.span[1] <= whole.span[1]
    return whole.is_whole or whole.selection is part.selection
