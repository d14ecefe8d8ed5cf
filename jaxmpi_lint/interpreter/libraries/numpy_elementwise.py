"""Functions of numpy that compute each element by itself."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import dtypes, elementwise, operations, products
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.libraries.math_functions import ROOTS
from jaxmpi_lint.interpreter.libraries.numpy_operands import (
    Operation,
    are_close,
    as_array,
    as_method,
    computed,
    dtype_argument,
    finished,
    pure,
)
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.sizes import note_root
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_FLOATS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p,
    "expm1": math.expm1, "sin": math.sin, "cos": math.cos, "tan": math.tan, "arcsin": math.asin, "arccos": math.acos,
    "arctan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "degrees": math.degrees,
    "radians": math.radians, "rad2deg": math.degrees, "deg2rad": math.radians, "cbrt": math.cbrt, "exp2": math.exp2,
    "arcsinh": math.asinh, "arccosh": math.acosh, "arctanh": math.atanh,
}  # fmt: skip
"""Functions that give floats."""

_TESTS: dict[str, Callable[..., Any]] = {
    "isnan": cmath.isnan, "isinf": cmath.isinf, "isfinite": cmath.isfinite, "logical_not": lambda x: not x,
    "signbit": lambda x: math.copysign(1, x) < 0, "isreal": lambda x: not isinstance(x, complex) or x.imag == 0,
}  # fmt: skip
_ROUNDED: dict[str, Callable[..., Any]] = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "fix": math.trunc,
}  # fmt: skip
_SAME: dict[str, Callable[..., Any]] = {
    "absolute": abs, "abs": abs, "fabs": abs, "negative": lambda x: -x, "positive": lambda x: +x,
    "square": lambda x: x * x, "sign": lambda x: (x > 0) - (x < 0), "conj": lambda x: x.conjugate(),
    "conjugate": lambda x: x.conjugate(), "real": lambda x: x.real, "imag": lambda x: x.imag, "invert": lambda x: ~x,
    "reciprocal": lambda x: 1 / x if isinstance(x, float) else None, "nan_to_num": lambda x: x + 0,
}  # fmt: skip
OPERATORS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "floor_divide": "//",
    "power": "**",
    "mod": "%", "remainder": "%", "equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">",
    "greater_equal": ">=", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "left_shift": "<<",
    "right_shift": ">>",
}  # fmt: skip
_PAIRS: dict[str, Callable[..., Any]] = {
    "maximum": max, "minimum": min, "fmax": max, "fmin": min, "hypot": math.hypot, "arctan2": math.atan2,
    "copysign": math.copysign, "logical_and": lambda a, b: bool(a and b), "logical_or": lambda a, b: bool(a or b),
    "logical_xor": lambda a, b: bool(a) != bool(b), "gcd": math.gcd, "lcm": math.lcm,
    "isclose": lambda a, b: are_close(a, b, 1e-5, 1e-8), "fmod": math.fmod,
}  # fmt: skip


def _unary(name: str, compute: Callable[..., Any], dtype_for: Callable[[str], str]) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        array = as_array(rank, arguments.get(0, "x"))
        if name in ROOTS:
            note_root(rank.world, arguments.get(0, "x"), ROOTS[name])
        out = arguments.keywords.get("out", arguments.get(1) if name != "nan_to_num" else None)
        if array is None:
            return pure(rank, name, arguments)
        dtype = dtype_argument(arguments, -1, dtype_for(array.dtype))
        if "where" in arguments.keywords:
            return finished(rank, computed(rank, name, arguments, array.shape, dtype), out)
        return finished(rank, elementwise.apply(rank, ("call", name), compute, (array,), dtype), out)

    return call


def _floating(dtype: str) -> str:
    return dtypes.of_division(dtype)


def _rounded(dtype: str) -> str:
    """Versions differ in what rounding makes of integers."""
    return dtype if dtypes.family(dtype) >= 2 else ""


def _absolute(dtype: str) -> str:
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def _truth(dtype: str) -> str:
    return "bool"


def _same(dtype: str) -> str:
    return dtype


def _dtype_for(name: str) -> Callable[[str], str]:
    if name in ("abs", "absolute", "real", "imag"):
        return _absolute
    return _floating if name == "fabs" else _same


def _binary(name: str, operator: str) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        left, right = arguments.get(0), arguments.get(1)
        out = arguments.keywords.get("out", arguments.get(2))
        one, other = as_array(rank, left), as_array(rank, right)
        if one is None or other is None:
            if isinstance(out, Array):
                return finished(rank, computed(rank, name, arguments, None), out)
            return pure(rank, name, arguments)
        is_array = isinstance(left, (Array, list, tuple)) or isinstance(right, (Array, list, tuple))
        if not is_array and not isinstance(out, Array):
            return operations.binary(rank, operator, left, right)
        if "where" in arguments.keywords:
            return finished(
                rank, computed(rank, name, arguments, elementwise.broadcast_shapes(one.shape, other.shape)), out
            )
        operands = [
            array if isinstance(value, (Array, list, tuple)) else value
            for array, value in ((one, left), (other, right))
        ]
        if not any(isinstance(operand, Array) for operand in operands):
            operands = [one, other]
        result = elementwise.elementwise(rank, operator, *operands)
        return finished(rank, result, out) if isinstance(result, Array) else result

    return call


def _pair(name: str, compute: Callable[..., Any]) -> Operation:
    def call(rank: Rank, arguments: Arguments) -> Value:
        one, other = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
        if one is None or other is None:
            return pure(rank, name, arguments)
        is_truth = name.startswith(("logical", "isclose"))
        dtype = "bool" if is_truth else elementwise.result_dtype("+", *_typed(arguments, one, other))
        dtype = _floating(dtype) if name in ("hypot", "arctan2", "copysign") else dtype
        if name == "isclose" and (len(arguments.values) > 2 or arguments.keywords):
            return finished(
                rank, computed(rank, name, arguments, elementwise.broadcast_shapes(one.shape, other.shape), dtype)
            )
        out = arguments.keywords.get("out", arguments.get(2))
        return finished(rank, elementwise.apply(rank, ("call", name), _ordered(compute), (one, other), dtype), out)

    return call


def _typed(arguments: Arguments, one: Array, other: Array) -> tuple[Value, Value]:
    """The operands as promotion sees them: numbers stay numbers next to an array."""
    left, right = arguments.get(0), arguments.get(1)
    if isinstance(left, Array) and not isinstance(right, (Array, list, tuple)):
        return left, right
    if isinstance(right, Array) and not isinstance(left, (Array, list, tuple)):
        return left, right
    return one, other


def _ordered(compute: Callable[..., Any]) -> Callable[..., Any]:
    """The function for numbers that are not "not a number"."""

    def call(*cells: Any) -> Any:
        if any(cmath.isnan(cell) for cell in cells):
            return None
        return compute(*cells)

    return call


def _clip(rank: Rank, arguments: Arguments) -> Value:
    array = as_array(rank, arguments.get(0, "a"))
    low, high = arguments.get(1, "a_min"), arguments.get(2, "a_max")
    low, high = arguments.keywords.get("min", low), arguments.keywords.get("max", high)
    if array is None:
        return pure(rank, "clip", arguments)
    out = arguments.get(3, "out")
    if any(isinstance(bound, (Symbol, Array, list, tuple)) for bound in (low, high)):
        return finished(rank, computed(rank, "clip", arguments, array.shape, array.dtype), out)

    def compute(cell: Any) -> Any:
        cell = cell if low is None else max(cell, low)
        return cell if high is None else min(cell, high)

    is_wider = any(isinstance(bound, float) for bound in (low, high)) and dtypes.family(array.dtype) < 2
    dtype = "float64" if is_wider else array.dtype
    return finished(rank, elementwise.apply(rank, ("clip", low, high), compute, (array,), dtype), out)


def _round(rank: Rank, arguments: Arguments) -> Value:
    array, decimals = as_array(rank, arguments.get(0, "a")), arguments.get(1, "decimals", 0)
    if array is None:
        return pure(rank, "round", arguments)

    def compute(cell: Any) -> Any:
        return round(cell, decimals) if isinstance(decimals, int) and isinstance(cell, (int, float)) else None

    key = ("round", decimals)
    return finished(rank, elementwise.apply(rank, key, compute, (array,), array.dtype), arguments.get(2, "out"))


def _where(rank: Rank, arguments: Arguments) -> Value:
    """``where`` with three arguments; with one it gives the places of what is not zero."""
    if len(arguments.values) == 1:
        handler = rank.models.function("numpy.nonzero")
        return handler(rank, arguments) if handler is not None else pure(rank, "where", arguments)
    operands = [as_array(rank, one) for one in arguments.values[:3]]
    known = [one for one in operands if one is not None]
    if len(known) != 3:
        return pure(rank, "where", _of_one_side(arguments))
    dtype = elementwise.result_dtype("+", *_typed(Arguments(arguments.values[1:], {}), known[1], known[2]))
    if isinstance(arguments.get(0), int):  # one side everywhere: the result does not depend on the other
        chosen, other = known[1:] if arguments.get(0) else known[:0:-1]
        if other.shape not in ((), chosen.shape):
            return pure(rank, "where", _of_one_side(arguments))
        known = [known[0], chosen, chosen]

    def compute(test: Any, one: Any, other: Any) -> Any:
        return one if test else other

    return finished(rank, elementwise.apply(rank, ("call", "where"), compute, known, dtype))


def _of_one_side(arguments: Arguments) -> Arguments:
    """The arguments without the side that a single truth does not choose."""
    if len(arguments.values) != 3 or not isinstance(arguments.get(0), int):
        return arguments
    return Arguments((arguments.get(0), arguments.values[1 if arguments.get(0) else 2]), {})


def _dot(rank: Rank, arguments: Arguments) -> Value:
    one, other = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
    out = arguments.keywords.get("out", arguments.get(2))
    if one is None or other is None:
        result: Value = computed(rank, "dot", arguments, None)
        return finished(rank, result, out) if isinstance(out, Array) else pure(rank, "dot", arguments)
    if () in (one.shape, other.shape):
        return operations.binary(rank, "*", arguments.get(0), arguments.get(1))
    result = products.matmul(rank, one, other)
    return finished(rank, result, out) if isinstance(result, Array) else result


def _outer(rank: Rank, arguments: Arguments) -> Value:
    one, other = as_array(rank, arguments.get(0)), as_array(rank, arguments.get(1))
    shape = None
    dtype = ""
    if one is not None and other is not None:
        dtype = dtypes.promote(one.dtype, other.dtype)
        shape = None if one.size is None or other.size is None else (one.size, other.size)
    return computed(rank, "outer", arguments, shape, dtype)


def _vectorize(rank: Rank, arguments: Arguments) -> Value:
    return rank.symbol("call", Library("numpy.vectorize"), *arguments.values, is_guess=True)


_CALLS: dict[str, Operation] = {
    **{name: _unary(name, compute, _floating) for name, compute in _FLOATS.items()},
    **{name: _unary(name, compute, _truth) for name, compute in _TESTS.items()},
    **{name: _unary(name, compute, _rounded) for name, compute in _ROUNDED.items()},
    **{name: _unary(name, compute, _dtype_for(name)) for name, compute in _SAME.items()},
    **{name: _binary(name, operator) for name, operator in OPERATORS.items()},
    **{name: _pair(name, compute) for name, compute in _PAIRS.items()},
    "clip": _clip,
    "round": _round,
    "around": _round,
    "where": _where,
    "dot": _dot,
    "matmul": _dot,
    "inner": lambda rank, arguments: pure(rank, "inner", arguments),
    "outer": _outer,
    "vectorize": _vectorize,
}
FUNCTIONS: dict[str, Any] = {
    **{f"numpy.{name}": call for name, call in _CALLS.items()},
    "numpy.vdot": lambda rank, arguments: pure(rank, "vdot", arguments),
}
_METHODS = {name: as_method(_CALLS[name]) for name in ("clip", "round", "dot", "conj", "conjugate")}
_OF_NUMBERS = {name: _METHODS[name] for name in ("clip", "round")}
METHODS: dict[str, dict[str, Operation]] = {
    "array": {**_METHODS, "__abs__": as_method(_CALLS["abs"])},
    **dict.fromkeys(dtypes.KINDS, _OF_NUMBERS),
}
