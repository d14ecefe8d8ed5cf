"""Must-analysis of differentiable dependence: values that depend differentiably on parameters of a function."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.jax.custom_derivatives import has_rules
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference
from jaxmpi_lint.analysis.lattice.limits import CARRIED_VALUE_CALLS
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.library.jax.derivatives import DIFFERENTIABLE_FUNCTIONS, DTYPE_SECOND

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_OPERATORS = frozenset({"+", "-", "*", "/", "**", "@"})


class CarriedValues:
    """The values of one call of a function that are computed from the parameters named in ``given``."""

    def __init__(self, function: Function, given: frozenset[str], depth: int = 0) -> None:
        self.function = function
        self._given = given
        self._depth = depth
        self._returning = Solved[tuple[str, str, frozenset[str]], bool](False)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that hold such values wherever they are bound."""
        steps = self.function.ir.steps()
        bound = {name for step in steps for name in names_bound(step)}
        parameters = {parameter.name for parameter in self.function.ir.parameters}
        found = set(self._given) | (bound - parameters)
        while True:
            lost = {name for step in steps for name in self._lost_in(step, frozenset(found))} & found
            if not lost:
                return frozenset(found)
            found -= lost

    def _lost_in(self, step: ir.Step, names: frozenset[str]) -> Iterator[str]:
        """The names that a step rebinds to other values."""
        if isinstance(step, ir.Assign) and step.value is not None:
            for target in step.targets:
                yield from self._lost_by(target, step.value, names)
        elif isinstance(step, ir.AugmentedAssign):
            kept = step.operator.rstrip("=") in _OPERATORS
            if not kept or not self.carries(step.value, names):
                yield from (name for name in names_bound(step) if not kept or name not in names)
        else:
            yield from names_bound(step)

    def _lost_by(self, target: ir.Expression, value: ir.Expression, names: frozenset[str]) -> Iterator[str]:
        match target, value:
            case ir.Collection(elements=parts), ir.Collection(elements=values) if len(parts) == len(values):
                for part, given in zip(parts, values, strict=True):
                    yield from self._lost_by(part, given, names)
                return
        carried = isinstance(target, ir.Name) and self.carries(value, names)
        if not carried:
            yield from (node.id for node in ir.walk(target) if isinstance(node, ir.Name))

    def carries(self, expression: ir.Expression | None, names: frozenset[str] | None = None) -> bool:
        """Whether a value provably depends on the parameters in a differentiable way."""
        names = self.names if names is None else names
        match expression:
            case ir.Name(id=name):
                return name in names
            case ir.Subscript(value=value) | ir.Attribute(value=value, attr="T"):
                return self.carries(value, names)
            case ir.UnaryOperation(operator="-" | "+", operand=operand):
                return self.carries(operand, names)
            case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in _OPERATORS:
                return self.carries(left, names) or self.carries(right, names)
            case ir.Conditional(body=body, orelse=orelse):
                return self.carries(body, names) and self.carries(orelse, names)
            case ir.Call():
                return self._call_carries(expression, names)
        return False

    def _call_carries(self, call: ir.Call, names: frozenset[str]) -> bool:
        bound = self.function.bound(call)
        if bound is None:
            return False
        dotted = bound.dotted or ""
        if any(argument.keyword == "dtype" for argument in call.args):
            return False  # may be integers, which have no derivative
        if dotted.startswith("jax.numpy."):
            return self._library_call_carries(call, dotted.removeprefix("jax.numpy."), names)
        target = called(self.function, bound)
        if target is not None:
            return self._result_carries(target, self.passed(bound, target, names))
        method = call.func
        return (
            isinstance(method, ir.Attribute)
            and method.attr in DIFFERENTIABLE_FUNCTIONS
            and self.carries(method.value, names)
        )

    def _library_call_carries(self, call: ir.Call, name: str, names: frozenset[str]) -> bool:
        given = [argument.value for argument in call.args if not argument.star]
        if name in DTYPE_SECOND and len(given) > 1:
            return False
        chosen = given[1:] if name == "where" else given
        return name in DIFFERENTIABLE_FUNCTIONS and any(self._part_carries(part, names) for part in chosen)

    def _part_carries(self, given: ir.Expression, names: frozenset[str]) -> bool:
        parts = given.elements if isinstance(given, ir.Collection) else (given,)
        return any(self.carries(part, names) for part in parts)

    def _result_carries(self, target: Function, given: frozenset[str]) -> bool:
        key = *target.key, given
        if not given or self._depth >= CARRIED_VALUE_CALLS or target.ir.is_generator or has_rules(target):
            return False
        return self._returning.of(key, lambda: self._returns_carried(target, given))

    def _returns_carried(self, target: Function, given: frozenset[str]) -> bool:
        inner = CarriedValues(target, given, self._depth + 1)
        results = [b.terminator.value for b in target.ir.blocks if isinstance(b.terminator, ir.Return)]
        values = [value for value in results if value is not None]
        return bool(values) and all(inner.carries(value) for value in values)

    def passed(self, bound: BoundCall, target: Function, names: frozenset[str] | None = None) -> frozenset[str]:
        """The parameters of a called function that receive such values."""
        formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
        found: set[str] = set()
        for index, argument in enumerate(bound.call.args):
            if argument.star:
                break
            if self.carries(argument.value, names):
                found.add(argument.keyword or (formal[index] if index < len(formal) else ""))
        return frozenset(found & set(formal))


def called(function: Function, bound: BoundCall) -> Function | None:
    """The function of the project that a call runs, compiled or not."""
    entity = bound.callee.entity
    entity = entity.function if isinstance(entity, Compiled) else entity
    if bound.operations or not isinstance(entity, FunctionReference):
        return None
    return function.project.function(entity.path, entity.qualname)
