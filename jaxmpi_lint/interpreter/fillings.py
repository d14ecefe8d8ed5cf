"""Elements of arrays that have one value everywhere: known, though the array is too large or its shape is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import dtypes
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import MISSING, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def element(rank: Rank, content: Symbol | None, has_shape: bool, dtype: str) -> Value:
    """Any element of an array with the content that ``numpy.zeros`` gives it; MISSING for other contents.

    Without a known shape, an index may select a row instead.
    """
    if content is None or content.key[0] != ("str", "filled"):
        return MISSING
    match content.key[1:]:
        case (shape, ("int" | "float" | "bool", value)) if has_shape or _is_length(shape):
            return dtypes.cast(rank, value, dtype)
    return MISSING


def _is_length(shape: object) -> bool:
    """Whether a shape that is not known is one length, and not that of another array."""
    match shape:
        case ("tuple" | "list", Symbol()):
            return True
        case Symbol():
            return not shape.words(1) & {"shape", "zeros_like"}
    return False


def is_constant(items: Sequence[Value]) -> bool:
    """Whether all items are one number, as in ``[0 for _ in range(count)]``."""
    return bool(items) and isinstance(items[0], (int, float)) and all(one is items[0] for one in items)
