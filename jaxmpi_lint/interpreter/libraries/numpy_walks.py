"""`numpy.nditer`, a walk over the elements of an array that may write them, and `numpy.ndindex`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, operations
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array
from jaxmpi_lint.interpreter.libraries.numpy_operands import pure
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.values import Cut, Iterator, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_WRITING = ("readwrite", "writeonly")


class Walk(Modelled):
    """A walk over one array whose elements are known."""

    __slots__ = ("array",)
    type_name = "array walk"

    def __init__(self, array: Array) -> None:
        self.array = array

    def freeze(self, depth: int) -> object:
        """The array."""
        return "array walk", self.array.freeze(depth)

    def items_for(self, rank: Rank) -> list[Value]:
        """A view of each element, in the order of memory."""
        array = self.array
        kept = (array.is_jax, array.selection)
        places = array.indices or []
        ordered = sorted(places) if array.layout == "F" else places
        return [Array(array.store, (), array.dtype, [at], (at, at + 1), "C", *kept) for at in ordered]


def _walk(rank: Rank, arguments: Arguments) -> Value:
    array, flags = arguments.get(0, "op"), arguments.get(2, "op_flags")
    if isinstance(array, Array):
        array_changes.expand(rank, array)
    is_plain = not arguments.get(1, "flags") and set(arguments.keywords) <= {"op", "flags", "op_flags"}
    is_known = isinstance(array, Array) and array.indices is not None and array.layout in ("C", "F")
    if is_plain and is_known and len(array.indices or ()) <= MAX_ELEMENTS:
        return Walk(array)
    if _may_write(flags):
        raise Cut("a walk that writes elements of arrays")
    return pure(rank, "nditer", arguments)


def _may_write(flags: Value) -> bool:
    """Whether the flags of one of the operands allow to write it."""
    several = flags if isinstance(flags, (list, tuple)) else ()
    return any(one in _WRITING if isinstance(one, str) else _may_write(one) for one in several)


def _indices(rank: Rank, arguments: Arguments) -> Value:
    """`numpy.ndindex`: the indices of an array of a shape."""
    first = arguments.get(0)
    shape = first if isinstance(first, tuple) else arguments.values
    if not all(isinstance(length, int) and length >= 0 for length in shape) or math.prod(shape) > operations.MAX_TEXT:
        return rank.symbol("indices", *shape, kind="list")
    return Iterator(list(itertools.product(*map(range, shape))))


FUNCTIONS: dict[str, Any] = {"numpy.nditer": _walk, "numpy.ndindex": _indices}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "array walk": {
        "__enter__": lambda rank, walk: walk,
        "__exit__": lambda rank, walk: None,
        "close": lambda rank, walk, arguments: None,
    },
}
