"""Where the values of arrays are needed: tests, texts, functions of numpy. The program waits for the arrays there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of
from jaxmpi_lint.analysis.lattice.lattice import Compiled
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function
from jaxmpi_lint.library.jax.arrays import DESCRIBING, NEEDING, NEEDING_LIBRARIES, NEEDING_METHODS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_DEPTH = 2
"""Calls that are followed to the place where a value is needed."""


class NeededValues:
    """The places of one function that need values computed from given calls or names."""

    def __init__(self, function: Function, calls: frozenset[ir.Span], names: frozenset[str] = frozenset()) -> None:
        self._function = function
        self._calls = calls
        self._names = set(names)
        assigned = [step for step in function.ir.steps() if isinstance(step, ir.Assign | ir.AugmentedAssign)]
        for _ in range(len(assigned)):
            new = {name for step in assigned for name in self._filled(step)} - self._names
            if not new:
                break
            self._names |= new

    def by_test(self, block: ir.Block) -> bool:
        """Whether the branch at the end of a block needs one."""
        return isinstance(block.terminator, ir.Branch) and self._is_needed(block.terminator.test)

    def by_step(self, step: ir.Step) -> bool:
        """Whether a step writes one into a text, or chooses by it."""
        return any(self._is_needed(part) for one in _expressions(step) for part in _read(one))

    def by_call(self, bound: BoundCall, depth: int = 0) -> bool:
        """Whether a call, or the function of the project that it runs, needs one of its arguments."""
        given = [argument.value for argument in bound.call.args if self._is_needed(argument.value)]
        if not given:
            return False
        name = (bound.dotted or ir.dotted(bound.call.func) or "").removeprefix("builtins.")
        last = bound.call.func.attr if isinstance(bound.call.func, ir.Attribute) else name
        if name in NEEDING or last in NEEDING_METHODS:
            return True
        if name.startswith(NEEDING_LIBRARIES):
            return last not in DESCRIBING
        return depth < _DEPTH and self._is_needed_inside(bound, given, depth)

    def _is_needed_inside(self, bound: BoundCall, given: list[ir.Expression], depth: int) -> bool:
        callee = called_function(bound)
        if callee is None or isinstance(bound.callee.entity, Compiled):
            return False
        target = self._function.project.function(callee.path, callee.qualname)
        if target is None or target.ir.is_generator or target.ir.is_too_large:
            return False
        names = [one.name for one in target.ir.parameters if argument_of(target, one.name, bound.call) in given]
        return bool(names) and NeededValues(target, frozenset(), frozenset(names))._is_anywhere(depth + 1)

    def _is_anywhere(self, depth: int) -> bool:
        blocks = self._function.ir.blocks
        if any(self.by_test(block) or any(map(self.by_step, block.steps)) for block in blocks):
            return True
        return any(self.by_call(bound, depth) for bound in self._function.calls())

    def _filled(self, step: ir.Assign | ir.AugmentedAssign) -> Iterator[str]:
        """The names that a step gives a value computed from an array."""
        targets = step.targets if isinstance(step, ir.Assign) else (step.target,)
        if step.value is None or not self._is_needed(step.value):
            return
        for target in targets:
            for node in ir.walk(target):
                if isinstance(node, ir.Name | ir.Attribute) and (name := ir.dotted(node)) is not None:
                    yield name

    def _is_needed(self, expression: ir.Expression) -> bool:
        """Whether the value of an expression depends on the elements of an array."""
        match expression:
            case ir.Comparison(operators=operators) if set(operators) <= {"is", "is not"}:
                return False
            case ir.Attribute(attr=attr) if attr in DESCRIBING:
                return False
            case ir.Call(func=func) if (ir.dotted(func) or "").rpartition(".")[2] in DESCRIBING:
                return False
            case ir.Call(span=span) if span in self._calls:
                return True
            case ir.Lambda():
                return False
            case ir.Name() | ir.Attribute() if ir.dotted(expression) in self._names:
                return True
        return any(map(self._is_needed, ir.children(expression)))


def _expressions(step: ir.Step) -> Iterator[ir.Expression]:
    match step:
        case ir.Evaluate(expression=value) | ir.Discard(value=value):
            yield from ir.walk(value)
        case ir.Assign(value=value) | ir.AugmentedAssign(value=value) if value is not None:
            yield from ir.walk(value)


def _read(expression: ir.Expression) -> tuple[ir.Expression, ...]:
    """The parts of an expression that it writes as a text, or whose truth it tests."""
    match expression:
        case ir.FormattedString(parts=parts):
            return parts
        case ir.BinaryOperation(operator="%", left=ir.Constant(value=str()), right=right):
            return (right,)
        case ir.Conditional(test=test):
            return (test,)
        case ir.BooleanOperation(operands=operands):
            return operands[:-1]
        case ir.UnaryOperation(operator="not", operand=operand):
            return (operand,)
    return ()
