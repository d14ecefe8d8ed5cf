"""Items of long loops that a test in the loop names: ``if number == wanted`` is made for them as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame

MAX_NAMED = 4
"""Items that are added to those of a sampled loop."""


def named(frame: Frame, branch: ir.Branch, items: Sequence[Value]) -> list[int] | None:
    """The items of a range that tests in the text of a loop compare with the item of the pass, in order.

    None if there are many, or the items are not those of a range.
    """
    if not isinstance(items, range):
        return None
    names = targets(frame, branch)
    numbers = {number for test in _tests(frame, branch.extent) if (number := wanted(frame, test, names)) is not None}
    found = sorted((number for number in numbers if number in items), key=items.index)
    return found if len(found) <= MAX_NAMED else None


def wanted(frame: Frame, test: ir.Expression, names: set[str]) -> int | None:
    """The number with which a test compares the item of a pass, None for a different test."""
    match test:
        case ir.Comparison(operators=("==",), operands=(ir.Name(id=name), other)) if name in names:
            return _number(frame, other)
        case ir.Comparison(operators=("==",), operands=(other, ir.Name(id=name))) if name in names:
            return _number(frame, other)
    return None


def targets(frame: Frame, branch: ir.Branch) -> set[str]:
    """The names to which a loop binds its items."""
    assert isinstance(branch.test, ir.Element)
    iterable = branch.test.iterable
    return {
        target.id
        for step in frame.function.steps()
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Element) and step.value.iterable is iterable
        for target in step.targets
        if isinstance(target, ir.Name)
    }


def _tests(frame: Frame, extent: ir.Span) -> Iterator[ir.Expression]:
    for block in frame.function.blocks:
        terminator = block.terminator
        if isinstance(terminator, ir.Branch) and extent[0] <= terminator.span[0] and terminator.span[1] <= extent[1]:
            yield from (one for one in ir.walk(terminator.test) if isinstance(one, ir.Comparison))


def _number(frame: Frame, expression: ir.Expression) -> int | None:
    value: Value = None
    if isinstance(expression, ir.Constant):
        value = expression.value
    elif isinstance(expression, ir.Name):
        value = frame.scope.names.get(expression.id, frame.scope.module.scope.names.get(expression.id))
    return value if isinstance(value, int) and not isinstance(value, (bool, Symbol)) else None
