"""Numpy's dtypes by name, and constructors of arrays whose call determines the dtype."""

from __future__ import annotations

NAMES: dict[str, str] = {
    **{name: name for name in "float16 float32 float64 complex64 complex128 bool longdouble clongdouble".split()},
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("float", "double", "float_", "d", "f8", "=f8", "<f8"), "float64"),
    **dict.fromkeys(("single", "f", "f4", "=f4", "<f4"), "float32"),
    **dict.fromkeys(("half", "f2", "e"), "float16"),
    **dict.fromkeys(("int", "int_", "intp", "longlong", "i8", "=i8", "<i8", "q"), "int64"),
    **dict.fromkeys(("intc", "i", "i4", "=i4", "<i4"), "int32"),
    **dict.fromkeys(("short", "h", "i2", "=i2", "<i2"), "int16"),
    **dict.fromkeys(("byte", "i1"), "int8"),
    **dict.fromkeys(("uint", "uintp", "ulonglong", "u8", "=u8", "<u8", "Q"), "uint64"),
    **dict.fromkeys(("uintc", "u4", "=u4", "<u4", "I"), "uint32"),
    **dict.fromkeys(("ushort", "u2", "H"), "uint16"),
    **dict.fromkeys(("ubyte", "u1", "B"), "uint8"),
    **dict.fromkeys(("bool_", "?"), "bool"),
    **dict.fromkeys(("complex", "complex_", "cdouble", "c16", "D"), "complex128"),
    **dict.fromkeys(("csingle", "c8", "F"), "complex64"),
}
"""Dtypes on LP64 platforms by the names, type codes and Python types that denote them."""

FLOAT_BY_DEFAULT: dict[str, int] = {
    **dict.fromkeys(("zeros", "ones", "empty", "identity"), 1),
    "eye": 3,
    "frombuffer": 1,
    "loadtxt": 1,
    "linspace": 5,
    "logspace": 5,
}
"""Constructors with double precision by default, with the position of ``dtype``."""

LIKE_ARGUMENT: dict[str, int | None] = {
    "zeros_like": 1,
    "ones_like": 1,
    "empty_like": 1,
    "full_like": 2,
    "array": 1,
    "asarray": 1,
    "ascontiguousarray": 1,
    "asfortranarray": 1,
    "copy": None,
    "ravel": None,
    "reshape": None,
    "transpose": None,
    "sort": None,
}
"""Functions whose result has the dtype of their first argument by default."""

FLOAT_SAMPLES = frozenset({"rand", "randn", "random", "random_sample", "uniform", "normal", "standard_normal"})
"""Functions of ``numpy.random`` that return double precision numbers."""

SAME_TYPE_METHODS = frozenset({"copy", "reshape", "ravel", "flatten", "transpose", "squeeze", "swapaxes", "repeat"})
"""Methods of arrays whose result has the array's dtype."""

SCALARS = {"int": "int64", "float": "float64", "complex": "complex128", "bool": "bool"}
"""Numpy's dtypes for Python's numbers on LP64 platforms."""

PYTHON_FLOATS = frozenset({"numpy.pi", "math.pi", "numpy.inf", "numpy.nan", "numpy.e"})
"""Constants that are Python's floats."""

DTYPE_CLASS = ("np.dtype", "numpy.dtype")
"""The class of dtypes, as numpy is commonly imported."""
