"""Calls that no call syntax shows: properties, context managers, operators and builtins of a project's objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.interfaces import Part
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Instance, Value
from jaxmpi_lint.analysis.uniformity.context_managers import is_context_manager
from jaxmpi_lint.library.python.names import PROPERTY_DECORATORS
from jaxmpi_lint.library.python.special_methods import (
    BUILTINS,
    COMPARISONS,
    ENTERS,
    EXITS,
    OPERATORS,
    TEXT,
    TRUTH,
    UNARY,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class ImplicitCall:
    """A call as if it were written, and the part of the callee that it runs."""

    bound: BoundCall
    part: Part = Part.WHOLE


@dataclass(frozen=True, slots=True)
class _Asked:
    """A special method that an expression calls: the first of ``names`` that the class of ``owner`` has."""

    owner: ir.Expression
    names: tuple[str, ...]
    arguments: tuple[ir.Expression, ...] = ()
    span: ir.Span | None = None


class ImplicitCalls:
    """The implicit calls in a function, of methods with certain names and of generators that are context managers."""

    def __init__(self, function: Function, names: frozenset[str]) -> None:
        self._function = function
        self._names = names

    def may_be_in(self, part: ir.Step | ir.Terminator) -> bool:
        """A cheap test whether a step or terminator makes implicit calls, judging by names and operators alone."""
        if isinstance(part, (ir.Enter, ir.Leave)):
            return not self._names.isdisjoint((ENTERS, EXITS))
        expressions = _tested(part) if isinstance(part, ir.Terminator) else parts_read(part)
        asked = [*_asked_by(part)] if isinstance(part, ir.Step) else [*_asked_by_test(part)]
        for node in _evaluated(expressions):
            if isinstance(node, ir.Attribute) and node.attr in self._names:
                return True
            asked += _asked_by_operator(node)
        return any(not self._names.isdisjoint(one.names) for one in asked)

    def of_step(self, step: ir.Step, env: Environment) -> Iterator[ImplicitCall]:
        """The implicit calls of a step, in order; the written calls in it are steps of their own."""
        for expression in parts_read(step):
            yield from self._inside(expression, env)
        for asked in _asked_by(step):
            yield from self._special(asked, env)
        if isinstance(step, (ir.Enter, ir.Leave)):
            yield from self._managed(step, env)

    def of_terminator(self, terminator: ir.Terminator, env: Environment) -> Iterator[ImplicitCall]:
        """The implicit calls of a test or of a returned value."""
        for expression in _tested(terminator):
            yield from self._inside(expression, env)
        for asked in _asked_by_test(terminator):
            yield from self._special(asked, env)

    def _inside(self, expression: ir.Expression, env: Environment) -> Iterator[ImplicitCall]:
        """The properties that an expression reads, and the operators that it applies."""
        for node in _evaluated([expression]):
            if isinstance(node, ir.Attribute) and node.attr in self._names:
                yield from self._property(node, env)
            for asked in _asked_by_operator(node):
                yield from self._special(asked, env)

    def _property(self, node: ir.Attribute, env: Environment) -> Iterator[ImplicitCall]:
        owner = self._function.value(node.value, env)
        reference = self._method(owner, node.attr)
        target = self._function.project.function(*reference.key) if reference is not None else None
        if reference is not None and target is not None and is_property(target.ir):
            yield _call(owner, reference, ir.Call(node.span, node, ()))

    def _special(self, asked: _Asked, env: Environment) -> Iterator[ImplicitCall]:
        if self._names.isdisjoint(asked.names):
            return
        owner = self._function.value(asked.owner, env)
        for name in asked.names:
            reference = self._method(owner, name)
            if reference is not None:
                span = asked.span or asked.owner.span
                arguments = tuple(ir.Argument(argument.span, argument) for argument in asked.arguments)
                yield _call(owner, reference, ir.Call(span, ir.Attribute(span, asked.owner, name), arguments))
                return

    def _managed(self, step: ir.Enter | ir.Leave, env: Environment) -> Iterator[ImplicitCall]:
        """The entry or the exit of a ``with`` statement, located at the statement."""
        context, enters = step.context, isinstance(step, ir.Enter)
        span = (step.span[0], context.span[1])
        bound = self._function.bound(context) if isinstance(context, ir.Call) else None
        if bound is not None and is_context_manager(self._function, bound):
            made = BoundCall(ir.Call(span, bound.call.func, bound.call.args), bound.callee, bound.receiver, (), None)
            yield ImplicitCall(made, Part.UP_TO_YIELD if enters else Part.FROM_YIELD)
            return
        nothing = tuple(ir.Constant(span, None) for _ in range(0 if enters else 3))
        yield from self._special(_Asked(context, (ENTERS if enters else EXITS,), nothing, span), env)

    def _method(self, owner: Value, name: str) -> FunctionReference | None:
        model = self._function.project.class_model(owner.entity) if isinstance(owner.entity, Instance) else None
        return model.method(name) if model is not None else None


def parts_read(step: ir.Step) -> list[ir.Expression]:
    """The expressions that a step evaluates; for a step that makes a call, its arguments."""
    match step:
        case ir.Evaluate(expression=ir.Call(func=called, args=arguments)):
            return [called, *(argument.value for argument in arguments)]
        case ir.Assign(value=value) | ir.AugmentedAssign(value=value) | ir.Discard(value=value) if value is not None:
            return [value]
        case ir.Enter(context=context):
            return [context]
    return []


def _evaluated(expressions: list[ir.Expression]) -> Iterator[ir.Expression]:
    """The parts of expressions that are always evaluated, and are no calls: those are steps of their own."""
    stack = expressions[::-1]
    while stack:
        node = stack.pop()
        if not isinstance(node, (ir.Call, ir.Comprehension, ir.Conditional, ir.BooleanOperation)):
            yield node
            stack += ir.children(node)[::-1]


def _tested(terminator: ir.Terminator) -> list[ir.Expression]:
    match terminator:
        case ir.Branch(test=test):
            return [test]
        case ir.Return(value=ir.Expression() as value):
            return [value]
    return []


def _asked_by_test(terminator: ir.Terminator) -> Iterator[_Asked]:
    """The special method that tells whether an object counts as true."""
    if isinstance(terminator, ir.Branch):
        inner, _ = ir.strip_not(terminator.test)
        if isinstance(inner, (ir.Name, ir.Attribute, ir.Call)):
            yield _Asked(inner, TRUTH)


def _call(owner: Value, reference: FunctionReference, call: ir.Call) -> ImplicitCall:
    return ImplicitCall(BoundCall(call, Value.uniform(reference), owner, (), None))


def is_property(function: ir.Function) -> bool:
    """Whether a method runs when an attribute is read."""
    return any(ir.dotted(decorator) in PROPERTY_DECORATORS for decorator in function.decorators)


def _asked_by(step: ir.Step) -> Iterator[_Asked]:
    """The special methods that a step itself calls."""
    match step:
        case ir.Evaluate(expression=ir.Call(span=span, func=ir.Name(id=name), args=arguments)) if name in BUILTINS:
            for argument in arguments if name == "print" else arguments[:1]:
                yield _Asked(argument.value, BUILTINS[name], (), span)
        case ir.Assign(targets=targets, value=ir.Expression() as value):
            for target in targets:
                if isinstance(target, ir.Subscript):
                    yield _Asked(target.value, ("__setitem__",), (target.index, value), target.span)
        case ir.AugmentedAssign(target=target, operator=operator, value=value) if operator in OPERATORS:
            name = OPERATORS[operator]
            yield _Asked(target, (f"__i{name}__", f"__{name}__"), (value,), step.span)
        case ir.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ir.Subscript):
                    yield _Asked(target.value, ("__delitem__",), (target.index,), target.span)


def _asked_by_operator(node: ir.Expression) -> Iterator[_Asked]:
    match node:
        case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in OPERATORS:
            name = OPERATORS[operator]
            yield _Asked(left, (f"__{name}__",), (right,), node.span)
            yield _Asked(right, (f"__r{name}__",), (left,), node.span)
        case ir.UnaryOperation(operator="not", operand=operand):
            yield _Asked(operand, TRUTH, (), node.span)
        case ir.UnaryOperation(operator=operator, operand=operand) if operator in UNARY:
            yield _Asked(operand, (UNARY[operator],), (), node.span)
        case ir.Comparison(operands=(left, right), operators=("in" | "not in",)):
            yield _Asked(right, ("__contains__",), (left,), node.span)
        case ir.Comparison(operands=(left, right), operators=(operator,)) if operator in COMPARISONS:
            yield _Asked(left, (COMPARISONS[operator],), (right,), node.span)
        case ir.Subscript(value=value, index=index):
            yield _Asked(value, ("__getitem__",), (index,), node.span)
        case ir.FormattedString(parts=parts):
            for part in parts:
                if not isinstance(part, ir.Constant):
                    yield _Asked(part, TEXT, (), part.span)
