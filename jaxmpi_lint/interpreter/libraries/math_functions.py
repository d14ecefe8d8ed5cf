"""The modules `math` and `statistics`, and constants."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.sizes import note_root
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_INTEGER = 1_000
"""The largest argument of functions whose results grow fast."""

_FLOATS = (
    "sqrt exp log log2 log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh degrees radians "
    "fabs erf erfc gamma lgamma pow atan2 hypot fmod copysign ldexp cbrt exp2 dist remainder"
).split()
_INTEGERS = "floor ceil trunc gcd lcm isqrt".split()
ROOTS = {"sqrt": 2, "isqrt": 2, "cbrt": 3}
_GROWING = "factorial comb perm".split()
_TESTS = "isnan isinf isfinite isclose".split()
_SEVERAL = {"prod": "", "fsum": "float"}
_STATISTICS = "mean median stdev variance pstdev pvariance mode fmean".split()


def _function(name: str, kind: str, limit: int = 0) -> Callable[..., Value]:
    apply: Callable[..., Any] = getattr(math, name)

    def call(rank: Rank, arguments: Arguments) -> Value:
        values = [_number(value) for value in arguments.values]
        if name in ROOTS and values:
            note_root(rank.world, values[0], ROOTS[name])
        named = {word: _number(value) for word, value in arguments.keywords.items()}
        every = [*values, *named.values()]
        is_known = all(isinstance(value, (int, float)) for value in every)
        if not is_known or (limit and any(abs(value) > limit for value in every)):
            return rank.symbol("call", Library(f"math.{name}"), *values, named, kind=kind)
        try:
            return apply(*values, **named)
        except (ValueError, OverflowError, TypeError) as error:
            raise fail(type(error).__name__) from None

    return call


def _number(value: Value) -> Value:
    """The element of an array of one element, which these functions take too."""
    if isinstance(value, Array) and value.size == 1 and value.cells is not None:
        return value.cells[0]
    return value


def _over_items(module: Any, name: str, kind: str) -> Callable[..., Running]:
    apply: Callable[..., Any] = getattr(module, name)

    def call(rank: Rank, arguments: Arguments) -> Running:
        items = yield from elements(rank, arguments.get(0))
        is_known = all(isinstance(item, (int, float)) for item in items) and not isinstance(items, GuessedList)
        if not is_known or arguments.keywords or len(arguments.values) > 1:
            given = arguments.get(0) if isinstance(arguments.get(0), Symbol) else tuple(items)
            return rank.symbol("call", Library(f"{module.__name__}.{name}"), given, kind=kind)
        try:
            return apply(items)
        except (ValueError, OverflowError, TypeError) as error:
            raise fail(type(error).__name__) from None

    return call


def _fixed(value: Value) -> Callable[[Any], Value]:
    return lambda rank: value


FUNCTIONS: dict[str, Any] = {
    **{f"math.{name}": _function(name, "float") for name in _FLOATS if hasattr(math, name)},
    **{f"math.{name}": _function(name, "int") for name in _INTEGERS},
    **{f"math.{name}": _function(name, "int", MAX_INTEGER) for name in _GROWING},
    **{f"math.{name}": _function(name, "bool") for name in _TESTS},
    **{f"math.{name}": _over_items(math, name, kind) for name, kind in _SEVERAL.items()},
    **{f"statistics.{name}": _over_items(statistics, name, "") for name in _STATISTICS},
}
CONSTANTS: dict[str, Callable[[Any], Value]] = {
    **{
        f"{module}.{name}": _fixed(getattr(math, name))
        for module in ("math", "numpy")
        for name in ("pi", "e", "inf", "nan")
    },
    "math.tau": _fixed(math.tau),
    "numpy.newaxis": _fixed(None),
    **{f"numpy.{name}": _fixed(math.inf) for name in ("Inf", "infty", "Infinity", "PINF")},
    **{f"numpy.{name}": _fixed(math.nan) for name in ("NaN", "NAN")},
    "numpy.NINF": _fixed(-math.inf),
    "numpy.euler_gamma": _fixed(0.5772156649015329),
}
PURE = ("math", "statistics", "cmath", "fractions", "decimal")
