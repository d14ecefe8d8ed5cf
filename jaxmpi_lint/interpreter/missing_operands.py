"""Functions of numpy that get None where they need an array: the value of a receive from no rank, or of some ranks."""

from __future__ import annotations

from collections.abc import Callable

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import unfit
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.library.python.none_failures import FAILING_ARRAYS


def check(dotted: str, arguments: Arguments) -> None:
    """Fail where the function surely does, whatever its other arguments are."""
    count = FAILING_ARRAYS.get(dotted, 0)
    if any(value is None for value in arguments.values[:count]):
        raise unfit(None)
    fails = _JOINING.get(dotted)
    parts = arguments.get(0)
    if fails is None or not isinstance(parts, (list, tuple)) or isinstance(parts, GuessedList):
        return
    if any(part is None for part in parts) and any(map(fails, parts)):
        raise unfit(None, kind="ValueError")


def _has_axes(count: int) -> Callable[[Value], bool]:
    return lambda part: isinstance(part, Array) and part.shape is not None and len(part.shape) >= count


def _has_columns(part: Value) -> bool:
    """Whether a part has rows of another length than one, which is that of the array that numpy makes of None."""
    return isinstance(part, Array) and bool(part.shape) and (part.shape or (1,))[-1] != 1


def _is_none(part: Value) -> bool:
    return part is None


_JOINING: dict[str, Callable[[Value], bool]] = {
    "numpy.concatenate": _is_none,
    "numpy.stack": _has_axes(1),
    "numpy.hstack": _has_axes(2),
    "numpy.vstack": _has_columns,
    "numpy.row_stack": _has_columns,
}
"""The functions that join arrays, with the parts to which an array of None does not fit."""
