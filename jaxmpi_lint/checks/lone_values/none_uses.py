"""Operations that fail on None, applied to values that are None on some ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import always_evaluated, expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.value_queries import is_text
from jaxmpi_lint.library.python.none_failures import ARITHMETIC, FAILING_ARRAYS, FAILING_FUNCTIONS, ORDER

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_OF_NONE = frozenset(dir(None))


@dataclass(frozen=True, slots=True)
class NoneUse:
    """An operation at a block, its operand, and what it does in words."""

    block: int
    span: ir.Span
    operand: ir.Expression
    does: str


@dataclass(frozen=True, slots=True)
class _At:
    """A position in a function."""

    function: Function
    block: int
    env: Environment


def none_uses(function: Function) -> Iterator[tuple[NoneUse, Environment]]:
    """Every such operation on a name or a chain of attributes, whatever the value, with the values at that point."""
    for block, step, env in function.steps():
        if isinstance(step, ir.Assign) and any(isinstance(target, ir.Collection) for target in step.targets):
            value = step.value
            if value is not None and (ir.dotted(value) is not None or isinstance(value, ir.Call)):
                yield NoneUse(block.index, value.span, value, "unpacking it"), env
        for expression in expressions_read(step):
            for use in _in(_At(function, block.index, env), expression):
                yield use, env
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None or isinstance(block.terminator, ir.Jump):
            continue
        env = function.flow.environment_before(block.index, None)
        for expression in terminator_expressions(block):
            for use in _in(_At(function, block.index, env), expression):
                yield use, env


def _in(at: _At, expression: ir.Expression) -> Iterator[NoneUse]:
    """The operations in an expression that are evaluated whenever it is."""
    for node in always_evaluated(expression):
        yield from _itself(at, node)


def _itself(at: _At, node: ir.Expression) -> Iterator[NoneUse]:
    for operand, does in _operands(at, node):
        if ir.dotted(operand) is not None or isinstance(operand, ir.Call):
            yield NoneUse(at.block, node.span, operand, does)


def _operands(at: _At, node: ir.Expression) -> Iterator[tuple[ir.Expression, str]]:
    match node:
        case ir.Attribute(value=value, attr=attr) if attr not in _OF_NONE:
            yield value, f"reading its attribute `{attr}`"
        case ir.Subscript(value=value):
            yield value, "taking an element of it"
        case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            if not (operator == "%" and is_text(at.function.value(left, at.env))):
                yield left, f"the operator `{operator}`"
                yield right, f"the operator `{operator}`"
        case ir.UnaryOperation(operator=operator, operand=operand) if operator in ("-", "+", "~"):
            yield operand, f"the operator `{operator}`"
        case ir.Comparison(operands=operands, operators=operators):
            for operator, left, right in zip(operators, operands, operands[1:], strict=False):
                if operator in ORDER:
                    yield left, f"the operator `{operator}`"
                    yield right, f"the operator `{operator}`"
                elif operator in ("in", "not in"):
                    yield right, f"the operator `{operator}`"
        case ir.Element(iterable=iterable):
            yield iterable, "iterating over it"
        case ir.Call(func=func, args=args):
            name = _called(at.function, node)
            count = 1 if name in FAILING_FUNCTIONS and len(args) == 1 else FAILING_ARRAYS.get(name, 0)
            for argument in args[:count] if not node.has_star else ():
                if argument.keyword is None:
                    yield argument.value, f"calling `{ir.dotted(func)}` with it"


def _called(function: Function, call: ir.Call) -> str:
    bound = function.bound(call)
    return (bound.dotted or "").removeprefix("builtins.") if bound is not None else ""
