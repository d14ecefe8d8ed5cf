"""Functions of numpy that change some elements of an array in place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, operations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.libraries.numpy_elementwise import OPERATORS
from jaxmpi_lint.interpreter.libraries.numpy_operands import Operation, as_array, as_method, numbers
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Changed = Callable[["Rank", Array, list[Value], Arguments], list[Value] | None]
"""The new elements of an array with known ones, None if they are not known."""


def _change(change: Changed) -> Operation:
    """A function that changes its first argument; the elements become unknown where it cannot be computed."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        target = arguments.get(0)
        if isinstance(target, Array):
            array_changes.expand(rank, target)
            cells = target.cells if target.size is not None and not target.is_guessed else None
            found = None if cells is None else change(rank, target, list(cells), arguments)
            array_changes.assign_cells(rank, target, found, *arguments.values[1:], dict(arguments.keywords))

    return call


def _indices(rank: Rank, value: Value, size: int) -> list[int] | None:
    """Known positions in a flat array."""
    array = as_array(rank, value)
    found = None if array is None else array.cells
    if found is None or any(isinstance(one, bool) or not isinstance(one, int) for one in found):
        return None
    return [one % size for one in found] if all(-size <= one < size for one in found) else None


def _put(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> list[Value] | None:
    places = _indices(rank, arguments.get(1, "ind"), len(cells)) if cells else None
    values = None if places is None else array_changes.repeated(rank, arguments.get(2, "v"), len(places))
    if places is None or not values:
        return None
    for place, value in zip(places, values, strict=True):
        cells[place] = value
    return cells


def _masked(is_placed: bool) -> Changed:
    """``place`` takes the next value for each true element of the mask, ``putmask`` the one of the same position."""

    def change(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> list[Value] | None:
        mask = as_array(rank, arguments.get(1, "mask"))
        chosen = None if mask is None else mask.cells
        values = array_changes.repeated(rank, arguments.get(2, "vals" if is_placed else "values"), len(cells))
        if not values or chosen is None or len(chosen) != len(cells):
            return None
        if not all(isinstance(one, (bool, int)) for one in chosen):
            return None
        places = [at for at, keep in enumerate(chosen) if keep]
        for number, place in enumerate(places):
            cells[place] = values[number if is_placed else place]
        return cells

    return change


def _fill_diagonal(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> list[Value] | None:
    shape = array.shape or ()
    if len(shape) != 2 or arguments.get(2, "wrap", False) is not False:
        return None
    values = array_changes.repeated(rank, arguments.get(1, "val"), min(shape))
    if not values:
        return None
    for at, value in enumerate(values):
        cells[at * (shape[1] + 1)] = value
    return cells


def _partition(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> list[Value] | None:
    """Only the element at the asked position is known: numpy leaves the order of the others open."""
    known, at = numbers(cells), arguments.get(1, "kth")
    if known is None or len(array.shape or ()) != 1 or not isinstance(at, int) or not -len(cells) <= at < len(cells):
        return None
    whole = rank.symbol("partition", array, at)
    found: list[Value] = [rank.symbol("cell", whole, position) for position in range(len(cells))]
    found[at] = sorted(known)[at]
    return found


def _put_along_axis(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> None:
    return None


def _at(operator: str) -> Changed:
    """``numpy.add.at``: an operation for each of the chosen elements, also for one that is chosen twice."""

    def change(rank: Rank, array: Array, cells: list[Value], arguments: Arguments) -> list[Value] | None:
        places = array_changes.chosen_places(array, arguments.get(1))
        operand = arguments.get(2)
        is_scalar = isinstance(operand, (int, float)) or (isinstance(operand, Array) and operand.size == 1)
        several = None if is_scalar else as_array(rank, operand)
        if places is None or (several is not None and several.size != len(places)):
            return None
        values = array_changes.repeated(rank, operand, len(places))
        if values is None:
            return None
        for place, value in zip(places, values, strict=True):
            cells[place] = _applied(rank, operator, cells[place], value)
        return cells

    return change


def _applied(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    if operator not in ("maximum", "minimum"):
        return operations.binary(rank, operator, left, right)
    if all(isinstance(one, (int, float)) and not math.isnan(one) for one in (left, right)):
        return max(left, right) if operator == "maximum" else min(left, right)
    return rank.symbol("call", operator, left, right)


_FUNCTIONS: dict[str, Operation] = {
    "put": _change(_put),
    "place": _change(_masked(True)),
    "putmask": _change(_masked(False)),
    "fill_diagonal": _change(_fill_diagonal),
    "put_along_axis": _change(_put_along_axis),
    **{f"{name}.at": _change(_at(sign)) for name, sign in OPERATORS.items()},
    **{f"{name}.at": _change(_at(name)) for name in ("maximum", "minimum")},
}
FUNCTIONS: dict[str, Any] = {f"numpy.{name}": call for name, call in _FUNCTIONS.items()}
METHODS: dict[str, dict[str, Operation]] = {
    "array": {"put": as_method(_FUNCTIONS["put"]), "partition": as_method(_change(_partition))},
}
