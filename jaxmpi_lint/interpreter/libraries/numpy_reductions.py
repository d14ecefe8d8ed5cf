"""Reductions of numpy: over all elements, or along axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays, dtypes, operations, own_extremes, views
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    Operation,
    are_close,
    as_array,
    as_method,
    computed,
    dtype_argument,
    finished,
    numbers,
    pure,
)
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Compute = Callable[[Any, list[Value]], Value]
"""The reduction of a list of elements; None if it is not known."""


def axes_of(array: Array, axis: Value) -> list[int] | None:
    """The axes that a reduction removes, None if they are not known."""
    assert array.shape is not None
    count = len(array.shape)
    if axis is None:
        return list(range(count))
    given = views.lengths(axis)
    found = None if given is None else [views.axis_of(one, count) for one in given]
    return None if found is None else [one for one in found if one is not None]


def reduced(
    rank: Rank, key: tuple[object, ...], array: Array, axes: list[int], keep: bool, compute: Compute, dtype: str
) -> Array:
    """A reduction along axes of an array of known shape."""
    assert array.shape is not None
    shape = tuple(1 if at in axes else n for at, n in enumerate(array.shape) if keep or at not in axes)
    kind = dtypes.kind_of(dtype)
    groups = _groups(array, axes)
    if groups is None or math.prod(shape) > MAX_ELEMENTS:
        return arrays.of_symbol(rank.symbol(*key, array, tuple(axes), kind=kind), shape, dtype)
    results: list[Value] = []
    for group in groups:
        result = compute(rank, group)
        if result is None:
            result = rank.symbol(*key, tuple(group), kind=kind)
        results.append(dtypes.cast(rank, result, dtype))
    return arrays.of_cells(results, shape, dtype)


def _groups(array: Array, axes: list[int]) -> list[list[Value]] | None:
    """The elements that belong to each element of a result."""
    cells = array.cells
    if cells is None or array.shape is None:
        return None
    kept = [n for at, n in enumerate(array.shape) if at not in axes]
    strides = [math.prod(kept[at + 1 :]) for at in range(len(kept))]
    groups: list[list[Value]] = [[] for _ in range(math.prod(kept))]
    places = itertools.product(*(range(n) for n in array.shape))
    for where, cell in zip(places, cells, strict=True):
        outer = [index for at, index in enumerate(where) if at not in axes]
        groups[sum(i * s for i, s in zip(outer, strides, strict=True))].append(cell)
    return groups


def _unknown(cells: list[Value]) -> bool:
    """Whether an element is no number that is known: a symbol, or any object."""
    return any(not isinstance(cell, (int, float, complex)) for cell in cells)


def total(rank: Any, cells: list[Value]) -> Value:
    """A sum; one of floats whose rounding depends on the order is not known."""
    if _unknown(cells):
        return cells[0] if len(cells) == 1 else None
    if any(isinstance(cell, float) for cell in cells):
        known = numbers(cells)
        if known is None or any(math.isinf(one) for one in known):
            return None
        return sum(known) if sum(known) == math.fsum(known) else None
    return sum(cells)


def product(rank: Any, cells: list[Value]) -> Value:
    """A product of numbers."""
    if _unknown(cells):
        return cells[0] if len(cells) == 1 else None
    return math.prod(cells)


def mean(rank: Any, cells: list[Value]) -> Value:
    """A mean; that of nothing is not a number."""
    if not cells:
        return math.nan
    found = total(rank, cells)
    if isinstance(found, (int, float, complex)):
        return found / len(cells)
    return found if isinstance(found, Symbol) else None


def _extreme(apply: Callable[..., Any]) -> Compute:
    def compute(rank: Any, cells: list[Value]) -> Value:
        if not cells:
            raise fail("ValueError")
        if len(cells) == 1:
            return cells[0]
        known = numbers(cells)
        return None if known is None else apply(known)

    return compute


def _place(apply: Callable[..., Any]) -> Compute:
    def compute(rank: Any, cells: list[Value]) -> Value:
        if not cells:
            raise fail("ValueError")
        known = numbers(cells)
        if len(cells) == 1:
            return 0
        return None if known is None else known.index(apply(known))

    return compute


def _quantified(stop: bool) -> Compute:
    def compute(rank: Any, cells: list[Value]) -> Value:
        plain = [cell for cell in cells if not isinstance(cell, Symbol)]
        if any(bool(cell) is stop for cell in plain):
            return stop
        return None if len(plain) < len(cells) else not stop

    return compute


def _deviation(rank: Any, cells: list[Value]) -> Value:
    """Variance and standard deviation; rounding makes only that of equal numbers known."""
    known = numbers(cells)
    return 0.0 if known and len(set(known)) == 1 and mean(rank, known) == known[0] else None


def _median(rank: Any, cells: list[Value]) -> Value:
    """The middle one of an odd number of known elements; the mean of two is rounded."""
    known = numbers(cells)
    return sorted(known)[len(known) // 2] if known and len(known) % 2 else None


def _count(rank: Any, cells: list[Value]) -> Value:
    return None if any(isinstance(cell, Symbol) for cell in cells) else sum(bool(cell) for cell in cells)


def _range(rank: Any, cells: list[Value]) -> Value:
    known = numbers(cells)
    if not cells:
        raise fail("ValueError")
    return None if known is None else max(known) - min(known)


def _same(dtype: str) -> str:
    return dtype


def _wide(dtype: str) -> str:
    """Sums of small integers are of the default integer type."""
    if dtype in dtypes.SIZES and dtypes.family(dtype) < 2:
        return "uint64" if dtype.startswith("u") else "int64"
    return dtype


def _fixed(name: str) -> Callable[[str], str]:
    return lambda dtype: name


def _floating(dtype: str) -> str:
    return "float64" if dtype in dtypes.SIZES and dtypes.family(dtype) < 2 else dtype


# The computation, the dtype of the result, and the position of the argument dtype (0: none).
_TABLE: dict[str, tuple[Compute, Callable[[str], str], int]] = {
    "sum": (total, _wide, 2),
    "nansum": (total, _wide, 2),
    "prod": (product, _wide, 2),
    "mean": (mean, _floating, 2),
    "median": (_median, _floating, 0),
    "std": (_deviation, _floating, 2),
    "var": (_deviation, _floating, 2),
    "max": (_extreme(max), _same, 0),
    "min": (_extreme(min), _same, 0),
    "nanmax": (_extreme(max), _same, 0),
    "nanmin": (_extreme(min), _same, 0),
    "ptp": (_range, _same, 0),
    "argmax": (_place(max), _fixed("int64"), 0),
    "argmin": (_place(min), _fixed("int64"), 0),
    "any": (_quantified(True), _fixed("bool"), 0),
    "all": (_quantified(False), _fixed("bool"), 0),
    "count_nonzero": (_count, _fixed("int64"), 0),
}


def _reduction(name: str) -> Operation:
    compute, dtype_for, at = _TABLE[name]

    def call(rank: Rank, arguments: Arguments) -> Value:
        array = as_array(rank, arguments.get(0, "a"))
        axis, out = arguments.get(1, "axis"), arguments.keywords.get("out", arguments.get(3 if at else 2))
        keep = arguments.keywords.get("keepdims", False)
        if array is None:
            return pure(rank, name, arguments, "bool" if name in ("any", "all") and axis is None else "")
        dtype = dtype_for(array.dtype)
        dtype = dtype_argument(arguments, at, dtype) if at else dtype
        key = ("call", name)
        if array.shape is None:
            return _of_unknown(rank, name, array, arguments, dtype)
        axes = axes_of(array, axis)
        others = set(arguments.keywords) - {"a", "axis", "out", "keepdims", "dtype", "ddof"}
        if axes is None or not isinstance(keep, bool) or others:
            shape: Shape | None = () if axis is None and keep is False else None
            return finished(rank, computed(rank, name, arguments, shape, dtype), out)
        found = reduced(rank, key, array, axes, keep, compute, dtype)
        if name in own_extremes.EXTREMES:
            own_extremes.keep(rank, found)
        return finished(rank, found, out)

    return call


def _average(rank: Rank, arguments: Arguments) -> Value:
    if arguments.has(2, "weights") or "returned" in arguments.keywords:
        return pure(rank, "average", arguments)
    return _reduction("mean")(rank, arguments)


def _of_unknown(rank: Rank, name: str, array: Array, arguments: Arguments, dtype: str) -> Value:
    """A reduction of an array of unknown shape: a number if it is over all axes."""
    if arguments.get(1, "axis") is None and not arguments.keywords.get("keepdims"):
        found = computed(rank, name, arguments, (), dtype)
        if name in own_extremes.EXTREMES:
            own_extremes.keep(rank, found)
        return finished(rank, found, arguments.keywords.get("out"))
    return finished(rank, computed(rank, name, arguments, None, dtype), arguments.keywords.get("out"))


def _closeness(name: str) -> Operation:
    """``allclose`` and ``array_equal``."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        left, right = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
        if left is None or right is None or left.shape is None or right.shape is None:
            return pure(rank, name, arguments, "bool")
        if name != "allclose" and left.shape != right.shape:
            return False
        ours, theirs = numbers(left.cells), numbers(right.cells)
        if ours is None or theirs is None or len(ours) != len(theirs):
            return pure(rank, name, arguments, "bool")
        if name != "allclose":
            return ours == theirs
        relative, absolute = arguments.get(2, "rtol", 1e-5), arguments.get(3, "atol", 1e-8)
        if not operations.is_plain((relative, absolute)):
            return pure(rank, name, arguments, "bool")
        return all(are_close(a, b, relative, absolute) for a, b in zip(ours, theirs, strict=True))

    return call


def _norm(rank: Rank, arguments: Arguments) -> Value:
    array, axis = as_array(rank, arguments.get(0, "x")), arguments.get(2, "axis")
    if array is None:
        return pure(rank, "linalg.norm", arguments, "float" if axis is None else "")
    dtype = _floating(array.dtype)
    dtype = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    if arguments.keywords.get("keepdims", False) is not False:
        return computed(rank, "linalg.norm", arguments, None, dtype)
    if axis is not None and array.shape is not None:
        axes = axes_of(array, axis)
        if axes is not None:
            return finished(rank, reduced(rank, ("norm", arguments.get(1, "ord")), array, axes, False, _zero, dtype))
    return finished(rank, computed(rank, "linalg.norm", arguments, () if axis is None else None, dtype))


def _zero(rank: Any, cells: list[Value]) -> Value:
    known = numbers(cells)
    return 0.0 if known is not None and not any(known) else None


_ALIASES = {"amax": "max", "amin": "min", "product": "prod", "sometrue": "any", "alltrue": "all", "nanmean": "mean"}
_CALLS: dict[str, Operation] = {name: _reduction(name) for name in _TABLE}
FUNCTIONS: dict[str, Any] = {
    **{f"numpy.{name}": call for name, call in _CALLS.items()},
    **{f"numpy.{alias}": _CALLS[name] for alias, name in _ALIASES.items()},
    "numpy.average": _average,
    "numpy.allclose": _closeness("allclose"),
    "numpy.array_equal": _closeness("array_equal"),
    "numpy.linalg.norm": _norm,
}
_METHODS = ("sum", "prod", "mean", "std", "var", "max", "min", "ptp", "argmax", "argmin", "any", "all")
_OF_ARRAYS = {name: as_method(_CALLS[name]) for name in _METHODS}
METHODS: dict[str, dict[str, Operation]] = {
    "array": _OF_ARRAYS,
    **dict.fromkeys(dtypes.KINDS, _OF_ARRAYS),
}
