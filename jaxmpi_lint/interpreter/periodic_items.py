"""Items of long loops at which something is done every so often: ``if step % interval == 0``, as output is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import tested_items

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame

MAX_PERIODS = 2
"""Remainders of which the last item is added to those of a sampled loop."""


def last_of_periods(frame: Frame, branch: ir.Branch, items: range) -> set[int]:
    """The last item of a range with each remainder that a test in the text of the loop names."""
    found: dict[tuple[int, int], int] = {}
    for period, remainder in _periods(frame, branch):
        last = next((item for item in reversed(items[-period:]) if item % period == remainder), None)
        if last is not None:
            found[period, remainder] = last
    return set(found.values()) if len(found) <= MAX_PERIODS else set()


def _periods(frame: Frame, branch: ir.Branch) -> Iterator[tuple[int, int]]:
    """Each period by which a test divides the item of a pass, with the remainder of the item that it names."""
    for test in tested_items.tests_in(frame, branch.extent):
        compared: dict[int, int] = {}
        for node in ir.walk(test.test):
            match node:
                case ir.Comparison(operators=("==" | "!=",), operands=(left, right)):
                    compared[id(left)] = tested_items.number(frame, right, branch) or 0
                case ir.BinaryOperation(operator="%", left=left, right=right):
                    period, shift = tested_items.number(frame, right, branch), _shift(frame, left, branch)
                    if period and period > 1 and shift is not None:
                        yield period, (compared.get(id(node), 0) - shift) % period


def _shift(frame: Frame, expression: ir.Expression, branch: ir.Branch) -> int | None:
    """What is added to the item of a pass; None for a different expression."""
    match expression:
        case ir.Name(id=name):
            return 0 if name in tested_items.targets(frame, branch) else None
        case ir.BinaryOperation(operator="+" | "-" as operator, left=left, right=right):
            inner, added = _shift(frame, left, branch), tested_items.number(frame, right, branch)
            if inner is None or added is None:
                return None
            return inner + (added if operator == "+" else -added)
    return None
