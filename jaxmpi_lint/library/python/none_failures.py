"""Operations of Python that raise an exception for None, from the language reference, and functions of numpy."""

from __future__ import annotations

ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^"})
"""Binary operators without a meaning for None."""

ORDER = frozenset({"<", "<=", ">", ">="})
"""Comparisons without a meaning for None."""

FAILING_FUNCTIONS = frozenset(
    "len iter next sum sorted max min list tuple set dict enumerate reversed int float abs round any all".split()
)
"""Built-in functions that fail if None is their only argument."""

_OF_TWO_ARRAYS = (
    "add divide dot floor_divide greater inner kron less matmul maximum minimum mod multiply outer power remainder "
    "subtract true_divide vdot"
)
_OF_ONE_ARRAY = (
    "abs absolute concatenate cos exp hstack isfinite isnan linalg.det linalg.inv linalg.norm log mean median "
    "sin split sqrt stack std vstack"
)
FAILING_ARRAYS = {f"numpy.{name}": 2 for name in _OF_TWO_ARRAYS.split()} | {
    f"numpy.{name}": 1 for name in _OF_ONE_ARRAY.split()
}
"""Functions of numpy that fail if one of their first arguments is None: how many of them."""
