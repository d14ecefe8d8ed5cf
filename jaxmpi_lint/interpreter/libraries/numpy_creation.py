"""Functions of numpy that make arrays."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes, views
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array, Shape
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    Operation,
    as_array,
    as_method,
    computed,
    dtype_argument,
    gathered,
    pure,
    shape_argument,
)
from jaxmpi_lint.interpreter.memory_order import like_operands
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Running, Value
from jaxmpi_lint.interpreter.windows import Window, WindowMemory

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_LENGTH = 1 << 40


def filled(rank: Rank, shape: Value, value: Value, dtype: str, order: Value = "C") -> Array:
    """An array with one value everywhere."""
    known = shape_argument(shape)
    symbol = rank.symbol("filled", shape, value)
    if known is None:
        return arrays.unknown(symbol, dtype)
    if math.prod(known) > MAX_ELEMENTS:
        made = arrays.of_symbol(symbol, known, dtype)
    else:
        made = arrays.of_cells([dtypes.cast(rank, value, dtype)] * math.prod(known), known, dtype)
    return views.in_order(rank, made, order)


def _constant(value: Value) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        dtype = dtype_argument(arguments, 1, "float64")
        return filled(rank, arguments.get(0, "shape"), value, dtype, arguments.get(2, "order", "C"))

    return call


def _empty(rank: Rank, arguments: Arguments) -> Value:
    shape = arguments.get(0, "shape")
    return empty(rank, shape, dtype_argument(arguments, 1, "float64"), arguments.get(2, "order", "C"))


def empty(rank: Rank, shape: Value, dtype: str, order: Value = "C") -> Array:
    """An array of which nobody knows the elements: they are symbols that all ranks have."""
    known = shape_argument(shape)
    symbol = rank.symbol("uninitialised", shape)
    if known is None:
        return arrays.unknown(symbol, dtype)
    if math.prod(known) > MAX_ELEMENTS:
        return views.in_order(rank, arrays.of_symbol(symbol, known, dtype), order)
    kind = dtypes.kind_of(dtype)
    cells: list[Value] = [rank.symbol("cell", symbol, at, dtype, kind=kind) for at in range(math.prod(known))]
    return views.in_order(rank, arrays.of_cells(cells, known, dtype), order)


def _full(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(1, "fill_value")
    dtype = dtype_argument(arguments, 2, dtypes.of_scalar(value))
    if isinstance(value, (list, tuple, Array)):
        return computed(rank, "full", arguments, shape_argument(arguments.get(0, "shape")), dtype)
    return filled(rank, arguments.get(0, "shape"), value, dtype, arguments.get(3, "order", "C"))


def _like(value: Value) -> Operation:
    """``zeros_like`` and so on; None for ``empty_like``."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        model = as_array(rank, arguments.get(0))
        if model is None:
            return pure(rank, "empty_like" if value is None else "full_like", arguments)
        dtype = dtype_argument(arguments, 1, model.dtype)
        shape = arguments.keywords.get("shape", model.shape)
        if shape is None:
            return arrays.unknown(rank.symbol("filled", model, value), dtype)
        made = empty(rank, shape, dtype) if value is None else filled(rank, shape, value, dtype)
        made = like_operands(made, (model,))
        if arguments.keywords.get("order", "C") != "C":
            made.layout = ""
        return made

    return call


def _full_like(rank: Rank, arguments: Arguments) -> Value:
    given = Arguments((arguments.get(0), arguments.get(2, "dtype")), {})
    return _like(arguments.get(1, "fill_value"))(rank, given)


def _array(rank: Rank, arguments: Arguments) -> Value:
    value = arguments.get(0, "object")
    dtype = dtype_argument(arguments, 1, "")
    if isinstance(value, Symbol) and value.kind not in dtypes.KINDS:
        return arrays.unknown(rank.symbol("array", value), dtype)
    keeps_order = arguments.keywords.get("order", "K") in ("K", "A")
    if keeps_order and isinstance(value, Array) and dtype in ("", value.dtype):
        made = views.copied(rank, value)
    else:
        made = arrays.from_nested(rank, value, dtype)
    if arguments.get(1, "dtype") is not None:
        made.dtype = dtype
    least = arguments.keywords.get("ndmin", 0)
    if isinstance(least, int) and made.shape is not None and least > len(made.shape):
        made = views.reshaped(rank, made, (1,) * (least - len(made.shape)) + made.shape)
    return views.in_order(rank, made, arguments.keywords.get("order", "C"))


def _as_array(rank: Rank, arguments: Arguments) -> Value:
    """``asarray``: an array that has the dtype stays as it is."""
    value = arguments.get(0, "a")
    if isinstance(value, Array) and not value.is_jax:
        dtype = dtype_argument(arguments, 1, value.dtype)
        return value if dtype == value.dtype else views.with_dtype(rank, value, dtype)
    return _array(rank, Arguments((value, arguments.get(1, "dtype")), {}))


def _contiguous(rank: Rank, arguments: Arguments) -> Value:
    found = _as_array(rank, arguments)
    return found if not isinstance(found, Array) or found.layout == "C" else found.copy()


def _fortran(rank: Rank, arguments: Arguments) -> Value:
    found = _as_array(rank, arguments)
    if not isinstance(found, Array) or found.layout == "F":
        return found
    return views.in_order(rank, found.copy(), "F")


def _copy(rank: Rank, arguments: Arguments) -> Value:
    return _copied(rank, arguments, "K")


def _copied_in_c_order(rank: Rank, arguments: Arguments) -> Value:
    """The method, whose default differs from that of the function."""
    return _copied(rank, arguments, "C")


def _copied(rank: Rank, arguments: Arguments, default: str) -> Value:
    found = as_array(rank, arguments.get(0, "a"))
    if found is None:
        return pure(rank, "copy", arguments)
    order = arguments.get(1, "order", default)
    return views.copied(rank, found) if order in ("K", "A") else views.in_order(rank, found.copy(), order)


def _arange(rank: Rank, arguments: Arguments) -> Value:
    given = [*arguments.values[:3]]
    start, stop, step = (
        ([0, *given] if len(given) == 1 else given + [None] * 3)[:3] if len(given) != 1 else (0, given[0], 1)
    )
    start, stop = arguments.keywords.get("start", start), arguments.keywords.get("stop", stop)
    step = arguments.keywords.get("step", 1 if step is None else step)
    names = {dtypes.of_scalar(one) for one in (start, stop, step)}
    default = "int64" if names == {"int64"} else ("float64" if names <= {"int64", "float64"} else "")
    dtype = dtype_argument(arguments, 3, default)
    if not all(isinstance(one, (int, float)) for one in (start, stop, step)):
        return arrays.unknown(rank.symbol("arange", start, stop, step), dtype)
    if step == 0:
        raise fail("ZeroDivisionError")
    number = (stop - start) / step
    if not math.isfinite(number):
        raise fail("ValueError")
    count = max(math.ceil(number), 0)
    if count > MAX_ELEMENTS:
        shape = (count,) if count < MAX_LENGTH else None
        symbol = rank.symbol("arange", start, stop, step)
        return arrays.unknown(symbol, dtype) if shape is None else arrays.of_symbol(symbol, shape, dtype)
    delta = (start + step) - start
    return arrays.of_cells([dtypes.cast(rank, start + at * delta, dtype) for at in range(count)], (count,), dtype)


def _linspace(rank: Rank, arguments: Arguments) -> Value:
    start, stop, count = arguments.get(0, "start"), arguments.get(1, "stop"), arguments.get(2, "num", 50)
    ends, dtype = arguments.get(3, "endpoint", True), dtype_argument(arguments, 5, "float64")
    are_scalars = all(dtypes.of_scalar(one) for one in (start, stop))
    shape = shape_argument(count) if are_scalars else None
    made = computed(rank, "linspace", arguments, shape, dtype)
    are_known = isinstance(start, (int, float)) and isinstance(stop, (int, float)) and isinstance(ends, bool)
    if shape is not None and are_known and math.prod(shape) <= MAX_ELEMENTS:
        made = _spaced(rank, (float(start), float(stop)), shape[0], ends, dtype)
    return (made, pure(rank, "linspace", arguments, "float")) if arguments.get(4, "retstep", False) else made


def _spaced(rank: Rank, bounds: tuple[float, float], count: int, ends: bool, dtype: str) -> Array:
    start, stop = bounds
    step = (stop - start) / max(count - 1 if ends else count, 1)
    cells: list[Value] = [start + at * step for at in range(count)]
    if ends and count > 1:
        cells[-1] = stop
    return arrays.of_cells([dtypes.cast(rank, cell, dtype) for cell in cells], (count,), dtype)


def _eye(rank: Rank, arguments: Arguments) -> Value:
    rows = arguments.get(0, "N")
    columns, shift = arguments.get(1, "M"), arguments.get(2, "k", 0)
    dtype = dtype_argument(arguments, 3, "float64")
    shape = shape_argument((rows, rows if columns is None else columns))
    if shape is None or math.prod(shape) > MAX_ELEMENTS or not isinstance(shift, int):
        return computed(rank, "eye", arguments, shape, dtype)
    places = itertools.product(range(shape[0]), range(shape[1]))
    return arrays.of_cells([dtypes.cast(rank, int(j - i == shift), dtype) for i, j in places], shape, dtype)


def _identity(rank: Rank, arguments: Arguments) -> Value:
    return _eye(rank, Arguments((arguments.get(0, "n"), None, 0, arguments.get(1, "dtype")), {}))


def _meshgrid(rank: Rank, arguments: Arguments) -> Value:
    axes = [as_array(rank, one) for one in arguments.values]
    indexing = arguments.keywords.get("indexing", "xy")
    known = [one for one in axes if one is not None and one.shape is not None and len(one.shape) < 2]
    if len(known) < len(axes) or indexing not in ("xy", "ij") or "sparse" in arguments.keywords:
        whole = pure(rank, "meshgrid", arguments)
        return [arrays.unknown(rank.symbol("item", whole, at)) for at in range(len(axes))]
    lengths = [one.size or 0 for one in known]
    order = [1, 0, *range(2, len(known))] if indexing == "xy" and len(known) > 1 else list(range(len(known)))
    shape = tuple(lengths[axis] for axis in order)
    return [_grid(rank, one, shape, order.index(axis)) for axis, one in enumerate(known)]


def _grid(rank: Rank, array: Array, shape: Shape, axis: int) -> Array:
    def offsets() -> list[int]:
        return [where[axis] for where in itertools.product(*(range(length) for length in shape))]

    return gathered(rank, ("meshgrid", axis), array, shape, offsets)


def _from_function(rank: Rank, arguments: Arguments) -> Running:
    shape = shape_argument(arguments.get(1, "shape"))
    dtype = dtype_argument(arguments, 2, "float64")
    if shape is None:
        return computed(rank, "fromfunction", arguments, None)
    ranges = [
        arrays.of_cells([dtypes.cast(rank, at, dtype) for at in range(min(n, MAX_ELEMENTS))], (n,), dtype)
        for n in shape
    ]
    if math.prod(shape) > MAX_ELEMENTS:
        grids = [arrays.of_symbol(rank.symbol("indices", shape, axis), shape, dtype) for axis in range(len(shape))]
    else:
        grids = [_grid(rank, one, shape, axis) for axis, one in enumerate(ranges)]
    keywords = {name: value for name, value in arguments.keywords.items() if name not in ("shape", "dtype", "function")}
    return (yield from rank.call(arguments.get(0, "function"), tuple(grids), keywords, rank.state["span"]))


def _diagonal(rank: Rank, arguments: Arguments) -> Value:
    """``diag``: a matrix of a vector, or the diagonal of a matrix."""
    array, shift = as_array(rank, arguments.get(0, "v")), arguments.get(1, "k", 0)
    if array is None or array.shape is None or shift != 0 or not 0 < len(array.shape) < 3:
        return computed(rank, "diag", arguments, None, array.dtype if array is not None else "")
    if len(array.shape) == 2:
        width = array.shape[1]
        return gathered(
            rank,
            ("diag",),
            array,
            (min(array.shape),),
            lambda: [at * (width + 1) for at in range(min(array.shape or ()))],
        )
    length = array.shape[0]
    cells = array.cells
    if cells is None or length * length > MAX_ELEMENTS:
        return computed(rank, "diag", arguments, (length, length), array.dtype)
    places = itertools.product(range(length), range(length))
    zero = dtypes.cast(rank, 0, array.dtype)
    return arrays.of_cells([cells[i] if i == j else zero for i, j in places], (length, length), array.dtype)


def _scalar(name: str) -> Operation:
    """A scalar type, called."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        value = arguments.get(0, "", 0)
        if isinstance(value, Array):
            return views.with_dtype(rank, value, name)
        if isinstance(value, (int, float, complex)):
            return dtypes.as_scalar(dtypes.cast(rank, value, name), name)
        array = as_array(rank, value)
        if array is not None and array.shape != ():
            return views.with_dtype(rank, array, name)
        return value if dtypes.of_scalar(value) == name else pure(rank, name, arguments, dtypes.kind_of(name))

    return call


def _dtype(rank: Rank, arguments: Arguments) -> Value:
    given = arguments.get(0, "dtype")
    name = dtypes.dtype_of(given)
    if name:
        return dtypes.DType(name)
    size = dtypes.size_of_record(given) if not arguments.keywords.get("align") else None
    return pure(rank, "dtype", arguments) if size is None else dtypes.RecordType(given, size)


def _is_subtype(rank: Rank, arguments: Arguments) -> Value:
    name, wanted = dtypes.dtype_of(arguments.get(0)), arguments.get(1)
    outcome = dtypes.is_below(name, wanted.dotted) if isinstance(wanted, Library) else None
    return pure(rank, "issubdtype", arguments, "bool") if outcome is None else outcome


def as_type(rank: Rank, arguments: Arguments) -> Value:
    """``astype``."""
    array = as_array(rank, arguments.get(0))
    if array is None:
        return pure(rank, "astype", arguments)
    made = views.with_dtype(rank, array, dtypes.dtype_of(arguments.get(1, "dtype")))
    kept = arguments.keywords.get("copy") is False and made.dtype == array.dtype and made.dtype
    result = array if kept else made
    is_number = not isinstance(arguments.get(0), Array) and made.cells is not None and made.shape == ()
    return dtypes.as_scalar((made.cells or [None])[0], made.dtype) if is_number else result


def _unshaped(name: str, default: str = "float64") -> Operation:
    """A function whose result has one axis of unknown length."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return computed(rank, name, arguments, None, dtype_argument(arguments, 1, default))

    return call


def _from_buffer(rank: Rank, arguments: Arguments) -> Value:
    """The memory of a window, or an array of unknown length."""
    source, dtype = arguments.get(0, "buffer"), dtype_argument(arguments, 1, "float64")
    window = source.window if isinstance(source, WindowMemory) else source
    if isinstance(window, Window):
        return window.as_array(rank, dtype)
    if isinstance(window, Array):  # the same memory, which may be changed through the result
        array_changes.forget(rank, window, "frombuffer")
    return _unshaped("frombuffer")(rank, arguments)


def _on_memory(rank: Rank, arguments: Arguments) -> Value:
    """``ndarray``: new memory, or the given one, such as that of a shared window."""
    buffer = arguments.get(2, "buffer")
    if buffer is None:
        return _empty(rank, arguments)
    window = buffer.window if isinstance(buffer, WindowMemory) else buffer
    if isinstance(window, Window):
        return window.as_array(rank, dtype_argument(arguments, 1, "float64"))
    shape = arrays.as_shape(arguments.get(0, "shape"))
    made = arrays.of_symbol(rank.symbol("memory", buffer), shape, dtype_argument(arguments, 1, "float64"))
    made.store.is_foreign = True
    return made


def _replace_shape(rank: Rank, arguments: Arguments) -> Value:
    """``logspace`` and ``geomspace``."""
    are_scalars = all(dtypes.of_scalar(arguments.get(at)) for at in (0, 1))
    shape = shape_argument(arguments.get(2, "num", 50)) if are_scalars else None
    return computed(rank, "logspace", arguments, shape, dtype_argument(arguments, -1, "float64"))


_SCALARS = sorted(dtypes.NAMES - {"object", "object_", "complex", "complex_"})
FUNCTIONS: dict[str, Any] = {
    **{f"numpy.{name}": _scalar(dtypes.dtype_of(name)) for name in _SCALARS},
    "numpy.zeros": _constant(0),
    "numpy.ones": _constant(1),
    "numpy.empty": _empty,
    "numpy.ndarray": _on_memory,
    "numpy.full": _full,
    "numpy.zeros_like": _like(0),
    "numpy.ones_like": _like(1),
    "numpy.empty_like": _like(None),
    "numpy.full_like": _full_like,
    "numpy.array": _array,
    "numpy.asarray": _as_array,
    "numpy.asanyarray": _as_array,
    "numpy.ascontiguousarray": _contiguous,
    "numpy.require": _contiguous,
    "numpy.asfortranarray": _fortran,
    "numpy.copy": _copy,
    "numpy.arange": _arange,
    "numpy.linspace": _linspace,
    "numpy.logspace": _replace_shape,
    "numpy.geomspace": _replace_shape,
    "numpy.eye": _eye,
    "numpy.identity": _identity,
    "numpy.meshgrid": _meshgrid,
    "numpy.fromfunction": _from_function,
    "numpy.diag": _diagonal,
    "numpy.frombuffer": _from_buffer,
    "numpy.dtype": _dtype,
    "numpy.issubdtype": _is_subtype,
}
METHODS: dict[str, dict[str, Operation]] = {
    "array": {
        "astype": as_method(as_type),
        "copy": as_method(_copied_in_c_order),
        "__array__": lambda rank, array, arguments: array,
    },
    **{kind: {"astype": as_method(as_type)} for kind in dtypes.KINDS},
}
TYPES: dict[type, str] = {dtypes.NumpyInt: "int", dtypes.NumpyFloat: "float"}
