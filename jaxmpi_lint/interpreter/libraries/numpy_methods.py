"""Attributes and methods of arrays, and of numbers taken from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays, dtypes, views
from jaxmpi_lint.interpreter.arrays import MAX_ELEMENTS, Array
from jaxmpi_lint.interpreter.libraries.numpy_operands import Operation, as_array, pure
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.values import Cut, Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Attribute = Any


def _shape(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    return pure(rank, "shape", arguments, "tuple") if array is None or array.shape is None else array.shape


def _size(rank: Rank, arguments: Arguments) -> Value:
    array, axis = as_array(rank, arguments.get(0)), arguments.get(1, "axis")
    if array is None or array.shape is None:
        return pure(rank, "size", arguments, "int")
    if axis is None:
        return array.size
    place = views.axis_of(axis, len(array.shape))
    return pure(rank, "size", arguments, "int") if place is None else array.shape[place]


def _dimensions(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0))
    return pure(rank, "ndim", arguments, "int") if array is None or array.shape is None else len(array.shape)


def _length(rank: Rank, array: Array) -> Value:
    return rank.symbol("size", array, kind="int") if array.size is None else array.size


def _bytes(rank: Rank, array: Array) -> Value:
    width = dtypes.SIZES.get(array.dtype)
    if width is None or array.size is None:
        return rank.symbol("nbytes", array, kind="int")
    return width * array.size


def _width(rank: Rank, array: Array) -> Value:
    width = dtypes.SIZES.get(array.dtype)
    return rank.symbol("itemsize", array.dtype, array, kind="int") if width is None else width


def _type(rank: Rank, array: Array) -> Value:
    return dtypes.DType(array.dtype) if array.dtype else rank.symbol("dtype", array)


def _part(name: str) -> Attribute:
    """``real`` and ``imag``."""

    def read(rank: Rank, array: Array) -> Value:
        if name == "real" and array.dtype in dtypes.SIZES and dtypes.family(array.dtype) < 3:
            return array
        handler: Any = rank.models.function(f"numpy.{name}")
        return handler(rank, Arguments((array,), {}))

    return read


def _flags(rank: Rank, array: Array) -> Value:
    is_flat = array.shape is not None and sum(n > 1 for n in array.shape) < 2 and bool(array.layout)
    known: dict[Any, Value] = {}
    for letter, names in (("C", ("C_CONTIGUOUS", "c_contiguous")), ("F", ("F_CONTIGUOUS", "f_contiguous"))):
        for name in names:
            unknown = array.shape is None or not array.layout
            outcome = rank.symbol("flag", name, array, kind="bool") if unknown else is_flat or array.layout == letter
            known[name] = outcome
    return Flags(known)


class Flags(dict[Any, Any]):
    """The flags of an array: by key or by attribute."""


def _flag(name: str) -> Attribute:
    return lambda rank, flags: flags[name]


def _flat(rank: Rank, array: Array) -> Value:
    return views.flat(rank, array)


def _fill(rank: Rank, array: Array, arguments: Arguments) -> Value:
    array_changes.assign(rank, array, (...,), arguments.get(0, "value"))


def _list(rank: Rank, array: Array, arguments: Arguments) -> Value:
    cells = array.cells
    if array.shape is None or (array.size or 0) > MAX_ELEMENTS:
        return rank.symbol("tolist", array, kind="list" if array.shape != () else "")
    if cells is None:
        cells = [rank.symbol("cell", array, at, kind=dtypes.kind_of(array.dtype)) for at in range(array.size or 0)]
    nested: list[Value] = list(cells)
    for length in array.shape[:0:-1]:
        nested = [nested[at : at + length] for at in range(0, len(nested), length)] if length else []
    return nested if array.shape else nested[0]


def _item(rank: Rank, array: Array, arguments: Arguments) -> Value:
    if arguments.values:
        index = arguments.values if len(arguments.values) > 1 else arguments.values[0]
        flat = views.raveled(rank, array) if isinstance(index, int) else array
        return plain(arrays.item(rank, flat, index))
    return plain(arrays.scalar(rank, array))


def plain(value: Value) -> Value:
    """A number of Python for one of numpy."""
    if isinstance(value, dtypes.NumpyInt):
        return int(value)
    return float(value) if isinstance(value, dtypes.NumpyFloat) else value


def _reread(rank: Rank, array: Array, arguments: Arguments) -> Value:
    """``view``: the same memory; with another dtype it cannot be followed."""
    dtype = arguments.get(0, "dtype")
    if (
        dtype is None
        or dtypes.dtype_of(dtype) == array.dtype
        or (isinstance(dtype, Library) and not dtypes.dtype_of(dtype))
    ):
        return arrays.item(rank, array, ...) if array.shape else array
    name = dtypes.dtype_of(dtype)
    if not name:
        raise Cut("an array whose memory is read in a different way")
    selection = rank.symbol("view", array, name)
    shape = _reread_shape(array, name)
    return Array(array.store, shape, name, layout=array.layout, is_jax=array.is_jax, selection=selection)


def _reread_shape(array: Array, dtype: str) -> tuple[int, ...] | None:
    """The shape of the same bytes as elements of a different dtype."""
    before, after = dtypes.SIZES.get(array.dtype), dtypes.SIZES[dtype]
    if before is None or not array.shape or array.layout != "C" or array.shape[-1] * before % after:
        return None
    return (*array.shape[:-1], array.shape[-1] * before // after)


def _resize(rank: Rank, array: Array, arguments: Arguments) -> Value:
    raise Cut("an array that is resized in place")


def _pure_method(name: str) -> Operation:
    return lambda rank, array, arguments: rank.symbol("call", name, array, *arguments.every())


def _of_number(rank: Rank, value: Value) -> Value:
    dtype = dtypes.of_scalar(value)
    return dtypes.DType(dtype) if dtype else rank.symbol("dtype", value)


_ATTRIBUTES: dict[str, Attribute] = {
    "shape": lambda rank, array: _shape(rank, Arguments((array,), {})),
    "size": _length,
    "ndim": lambda rank, array: _dimensions(rank, Arguments((array,), {})),
    "dtype": _type,
    "nbytes": _bytes,
    "itemsize": _width,
    "T": views.transposed,
    "real": _part("real"),
    "imag": _part("imag"),
    "flags": _flags,
    "flat": _flat,
    "base": lambda rank, array: rank.symbol("base", array),
    "strides": lambda rank, array: rank.symbol("strides", array),
    "data": lambda rank, array: array,
}
_FLAGS = ("c_contiguous", "f_contiguous")
FUNCTIONS: dict[str, Any] = {
    "numpy.shape": _shape,
    "numpy.size": _size,
    "numpy.ndim": _dimensions,
    **{f"array.{name}:attribute": read for name, read in _ATTRIBUTES.items()},
    **{f"flags.{name}:attribute": _flag(name) for name in _FLAGS},
    **{f"{kind}.dtype:attribute": _of_number for kind in dtypes.KINDS},
    **{f"{kind}.shape:attribute": lambda rank, value: () for kind in ("float", "int")},
    **{f"{kind}.size:attribute": lambda rank, value: 1 for kind in ("float", "int")},
    **{f"{kind}.ndim:attribute": lambda rank, value: 0 for kind in ("float", "int")},
    **{f"{kind}.T:attribute": lambda rank, value: value for kind in ("float", "int")},
}
_OF_NUMBERS: dict[str, Operation] = {
    "item": lambda rank, value, arguments: plain(value),
    "tolist": lambda rank, value, arguments: plain(value),
}
METHODS: dict[str, dict[str, Operation]] = {
    "array": {
        "fill": _fill,
        "tolist": _list,
        "item": _item,
        "view": _reread,
        "resize": _resize,
        "tobytes": _pure_method("tobytes"),
        "byteswap": _pure_method("byteswap"),
        "diagonal": _pure_method("diagonal"),
        "tofile": lambda rank, array, arguments: None,
        "dump": lambda rank, array, arguments: None,
        "setflags": lambda rank, array, arguments: None,
    },
    **dict.fromkeys(dtypes.KINDS, _OF_NUMBERS),
}
TYPES: dict[type, str] = {Array: "array", Flags: "flags"}
PURE = ("numpy", "scipy")
