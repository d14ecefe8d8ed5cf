"""Items of long loops that a test in the loop names: ``if number == wanted`` is made for them as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Instance, Value

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
    numbers = {
        number
        for test in tests_in(frame, branch.extent)
        for comparison in ir.walk(test.test)
        if (number := wanted(frame, comparison, branch)) is not None
    }
    found = sorted((number for number in numbers if number in items), key=items.index)
    return found if len(found) <= MAX_NAMED else None


def wanted(frame: Frame, test: ir.Expression, branch: ir.Branch) -> int | None:
    """The number with which a test in a loop compares the item of a pass, None for a different test."""
    if not isinstance(test, ir.Comparison) or test.operators != ("==",):
        return None
    names = targets(frame, branch)
    match test.operands:
        case (ir.Name(id=name), other) if name in names:
            return number(frame, other, branch)
        case (other, ir.Name(id=name)) if name in names:
            return number(frame, other, branch)
    return None


def rare_blocks(frame: Frame, header: int, branch: ir.Branch) -> set[int]:
    """The blocks of a loop that only passes with the items which its tests name can reach."""
    function = frame.function
    found: set[int] = set()
    for test in tests_in(frame, branch.extent):
        if wanted(frame, test.test, branch) is not None:
            usual = _reached(function, test.when_false, header, branch.extent)
            found |= _reached(function, test.when_true, header, branch.extent) - usual
    return found


def _reached(function: ir.Function, start: int, header: int, extent: ir.Span) -> set[int]:
    """The blocks that a pass of a loop can still run from a block on."""
    seen, todo = set[int](), [start]
    while todo:
        index = todo.pop()
        terminator = function.blocks[index].terminator
        if index in seen or index == header or not ir.contains(extent, terminator.span):
            continue
        seen.add(index)
        if isinstance(terminator, ir.Jump):
            todo.append(terminator.target)
        elif isinstance(terminator, ir.Branch):
            todo += [terminator.when_true, terminator.when_false]
    return seen


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


def tests_in(frame: Frame, extent: ir.Span) -> Iterator[ir.Branch]:
    """The branches in the text of a loop."""
    for block in frame.function.blocks:
        if isinstance(block.terminator, ir.Branch) and ir.contains(extent, block.terminator.span):
            yield block.terminator


def number(frame: Frame, expression: ir.Expression, branch: ir.Branch) -> int | None:
    """A number that is the same in all passes of a loop."""
    value: Value = None
    if isinstance(expression, ir.Constant):
        value = expression.value
    elif isinstance(expression, ir.Name) and expression.id not in names_bound(frame, branch.extent):
        value = _value(frame, expression.id)
    elif isinstance(expression, ir.Attribute) and isinstance(expression.value, ir.Name):
        owner = _value(frame, expression.value.id)
        value = owner.fields.get(expression.attr) if isinstance(owner, Instance) else None
    return value if isinstance(value, int) and not isinstance(value, (bool, Symbol)) else None


def _value(frame: Frame, name: str) -> Value:
    return frame.scope.names.get(name, frame.scope.module.scope.names.get(name))


def names_bound(frame: Frame, extent: ir.Span) -> set[str]:
    """The names that a part of the text of a function binds."""
    steps = (step for step in frame.function.steps() if ir.contains(extent, step.span))
    targets = (
        step.targets if isinstance(step, ir.Assign) else (step.target,)
        for step in steps
        if isinstance(step, (ir.Assign, ir.AugmentedAssign))
    )
    return {node.id for group in targets for target in group for node in ir.walk(target) if isinstance(node, ir.Name)}
