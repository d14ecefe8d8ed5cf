"""Types of array elements: names, sizes, promotion, and scalars that remember their type."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

SIZES = {
    "bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8,
    "float16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
}  # fmt: skip
_CODES = {
    "?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32", "l": "int64",
    "L": "uint64", "q": "int64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "F": "complex64",
    "D": "complex128", "O": "object", "p": "int64",
}  # fmt: skip
_ALIASES = {
    "bool_": "bool", "int": "int64", "int_": "int64", "intp": "int64", "intc": "int32", "short": "int16",
    "long": "int64", "longlong": "int64", "uint": "uint64", "uintp": "uint64", "uintc": "uint32", "byte": "int8",
    "ubyte": "uint8", "single": "float32", "double": "float64", "float": "float64", "float_": "float64",
    "half": "float16", "complex": "complex128", "complex_": "complex128", "cdouble": "complex128",
    "csingle": "complex64", "object": "object", "object_": "object",
}  # fmt: skip
_FAMILIES = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_OWNERS = ("numpy", "jax.numpy", "builtins")
NAMES = frozenset({*SIZES, *_ALIASES})
KINDS = {"int": "int64", "float": "float64", "bool": "bool", "complex": "complex128", **{name: name for name in SIZES}}
"""The dtype of a symbol that is a number, by its kind."""


@dataclass(frozen=True, slots=True)
class DType(Modelled):
    """A dtype object."""

    name: str
    type_name = "dtype"

    def attribute(self, rank: Rank, name: str) -> Value:
        """Name, size and code."""
        size = SIZES.get(self.name)
        known: dict[str, Value] = {"name": self.name, "type": Library(f"numpy.{self.name}"), "itemsize": size}
        known["kind"] = self.name[0] if self.name != "bool" else "b"
        known["char"] = next((code for code, name in _CODES.items() if name == self.name), None)
        known["str"] = None if size is None else f"{'|' if size == 1 else '<'}{known['kind']}{size}"
        found = known.get(name)
        return rank.symbol("attribute", self, name) if found is None else found

    def same(self, other: Value) -> bool:
        """Whether another value stands for this type."""
        return dtype_of(other) == self.name

    def freeze(self, _depth: int) -> object:
        """The name."""
        return "dtype", self.name


@dataclass(frozen=True, slots=True, eq=False)
class RecordType(Modelled):
    """A dtype of named fields; ``size`` is in bytes."""

    fields: Value
    size: int
    type_name = "record dtype"

    def attribute(self, rank: Rank, name: str) -> Value:
        """The size is known."""
        return self.size if name == "itemsize" else rank.symbol("attribute", self, name)

    def freeze(self, depth: int) -> object:
        """The fields."""
        return "record dtype", freeze(self.fields, depth)


def size_of_record(fields: Value) -> int | None:
    """The bytes of a record of named fields, which follow each other without gaps; None if it is not known."""
    if not isinstance(fields, list) or not fields:
        return None
    sizes = [_size_of_field(field) for field in fields]
    return sum(size for size in sizes if size is not None) if None not in sizes else None


def _size_of_field(field: Value) -> int | None:
    if not isinstance(field, tuple) or len(field) not in (2, 3) or not isinstance(field[0], str):
        return None
    size = SIZES.get(dtype_of(field[1]))
    shape = field[2] if len(field) == 3 else ()
    lengths = shape if isinstance(shape, tuple) else (shape,)
    return size * math.prod(lengths) if size is not None and all(isinstance(n, int) for n in lengths) else None


class NumpyInt(int):
    """An integer taken from an array; an empty ``dtype`` is not known."""

    dtype: str

    def __new__(cls, value: Any, dtype: str) -> NumpyInt:
        made = int.__new__(cls, value)
        made.dtype = dtype
        return made


class NumpyFloat(float):
    """A float taken from an array; an empty ``dtype`` is not known."""

    dtype: str

    def __new__(cls, value: Any, dtype: str) -> NumpyFloat:
        made = float.__new__(cls, value)
        made.dtype = dtype
        return made


SCALARS = (NumpyInt, NumpyFloat)


def as_scalar(value: Value, dtype: str) -> Value:
    """An element as the program gets it."""
    if isinstance(value, (bool, *SCALARS)):
        return value
    if isinstance(value, int):
        return NumpyInt(value, dtype)
    return NumpyFloat(value, dtype) if isinstance(value, float) else value


_ABSTRACT = {"integer": (1,), "floating": (2,), "complexfloating": (3,), "number": (1, 2, 3), "inexact": (2, 3)}
_ABSTRACT["generic"] = (0, 1, 2, 3)


def is_below(dtype: str, dotted: str) -> bool | None:
    """Whether a dtype belongs to a class of numpy, which may be abstract; None if it is not known."""
    if dtype not in SIZES:
        return None
    group = _ABSTRACT.get(dotted.rpartition(".")[2])
    if group is not None:
        return family(dtype) in group
    name = dtype_of(Library(dotted))
    return None if not name else name == dtype


def is_scalar_of(value: Value, dotted: str) -> bool | None:
    """Whether a number from an array is an object of a class: only the default float is one of Python."""
    if not dotted.startswith("builtins."):
        return is_below(value.dtype, dotted) if dotted.startswith("numpy.") else None
    if dotted == "builtins.float":
        return None if not value.dtype else value.dtype == "float64"
    return False


def kind_of(dtype: str) -> str:
    """The kind of a symbol for an element: that of Python where its type is the default one."""
    return {"int64": "int", "float64": "float", "complex128": "complex"}.get(dtype, dtype if dtype in SIZES else "")


def dtype_of(value: Value) -> str:
    """The name of a dtype given as a class, a text or a dtype; an empty text if it is not known."""
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Library):
        owner, _, name = value.dotted.rpartition(".")
        return _named(name) if owner in _OWNERS else ""
    return _of_text(value) if isinstance(value, str) else ""


def _named(name: str) -> str:
    return name if name in SIZES else _ALIASES.get(name, "")


def _of_text(text: str) -> str:
    text = text.lstrip("<=|")
    sized = re.fullmatch(r"([biufc])(\d+)", text)
    if sized is not None:
        name = "bool" if text == "b1" else f"{_FAMILIES[sized[1]]}{int(sized[2]) * 8}"
        return name if name in SIZES else ""
    return _CODES.get(text) or _named(text)


_FAMILY_WORDS: tuple[tuple[str, ...], ...] = (("bool",), ("int", "uint"), ("float",), ("complex",))


INTEGERS = 1
"""The family of the integers."""


def family(dtype: str) -> int:
    """0 for truth values, 1 for integers, 2 for floats, 3 for complex numbers, 4 for others."""
    return next((number for number, words in enumerate(_FAMILY_WORDS) if dtype.startswith(words)), 4)


def promote(left: str, right: str) -> str:
    """The common dtype of two arrays; an empty text if one is not known."""
    if left not in SIZES or right not in SIZES:
        return ""
    if left == right:
        return left
    low, high = sorted((left, right), key=lambda name: (family(name), SIZES[name]))
    if family(low) == 0:
        return high
    if family(low) == family(high):
        return _mixed(low, high) if family(low) == 1 else high
    if family(low) == 1:
        wanted = {1: 2, 2: 4}.get(SIZES[low], 8)
    else:
        wanted = SIZES[low]
    width = SIZES[high] // (2 if family(high) == 3 else 1)
    if family(high) == 3:
        return "complex64" if max(width, wanted) <= 4 else "complex128"
    return f"float{8 * max(width, wanted)}"


def _mixed(low: str, high: str) -> str:
    """Two integer types, signed or not."""
    if low.startswith("u") == high.startswith("u"):
        return high
    signed, unsigned = (high, low) if low.startswith("u") else (low, high)
    if SIZES[signed] > SIZES[unsigned]:
        return signed
    return "float64" if SIZES[unsigned] == 8 else f"int{16 * SIZES[unsigned]}"


def of_scalar(value: Value) -> str:
    """The dtype that a number would have as an array."""
    if isinstance(value, SCALARS):
        return value.dtype
    if isinstance(value, Symbol):
        return KINDS.get(value.kind, "")
    for kind, name in ((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")):
        if isinstance(value, kind):
            return name
    return ""


def with_scalar(dtype: str, value: Value) -> str:
    """The dtype of an array in an operation with a number: versions differ where the number comes from an array."""
    other = of_scalar(value)
    if dtype not in SIZES or other not in SIZES:
        return ""
    strong = promote(dtype, other)
    weak = dtype if family(other) <= family(dtype) else promote(dtype, other)
    if family(other) == 2 and family(dtype) < 2:
        weak = "float64"
    if isinstance(value, (Symbol, *SCALARS)):
        return weak if weak == strong else ""
    return weak


def of_division(dtype: str) -> str:
    """The dtype of a quotient, or of a function that gives floats."""
    if dtype in SIZES and family(dtype) < 2:
        return "float64" if dtype in ("bool", "int32", "int64", "uint32", "uint64") else ""
    return dtype


def like(operator: str, result: Value, left: Value, right: Value) -> Value:
    """The result of an operation on numbers, of which some come from arrays."""
    if isinstance(result, bool) or not (isinstance(left, SCALARS) or isinstance(right, SCALARS)):
        return result
    dtypes = {of_scalar(left), of_scalar(right)}
    if isinstance(left, SCALARS) and isinstance(right, SCALARS):
        dtype = promote(of_scalar(left), of_scalar(right))
    else:
        dtype = dtypes.pop() if len(dtypes) == 1 else ("float64" if dtypes == {"int64", "float64"} else "")
    return as_scalar(result, of_division(dtype) if operator == "/" else dtype)


def cast(rank: Rank, cell: Value, dtype: str) -> Value:
    """An element as an array of a dtype keeps it."""
    if isinstance(cell, Symbol):
        known = KINDS.get(cell.kind, "")
        if not known or dtype not in SIZES or known == dtype:
            return cell
        return rank.symbol("cast", dtype, cell, kind=kind_of(dtype))
    if dtype not in SIZES or not isinstance(cell, (int, float, complex)):
        return cell
    try:
        return _convert(cell, dtype)
    except (ValueError, OverflowError):
        return rank.symbol("cast", dtype, cell, kind=kind_of(dtype))


def _convert(cell: Any, dtype: str) -> Value:
    kind = family(dtype)
    if kind == 0:
        return bool(cell)
    if kind == 3:
        return complex(cell)
    number = cell.real if isinstance(cell, complex) else cell
    if kind == 2:
        code = {"float16": "e", "float32": "f", "float64": "d"}[dtype]
        return struct.unpack(code, struct.pack(code, number))[0]
    bits = 8 * SIZES[dtype]
    whole = int(number) & ((1 << bits) - 1)
    return whole - (1 << bits) if not dtype.startswith("u") and whole >> (bits - 1) else whole
