"""What a call passes: the values of its arguments and defaults, and the communicators that belong to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.communicator_substitution import Groups, parameter_groups
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, Communicator, FunctionReference, Instance, Value
from jaxmpi_lint.analysis.lattice.partial_application import given_ahead

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


def bound_arguments(
    evaluator: ExpressionEvaluator, function: FunctionReference, bound: BoundCall, env: Environment
) -> dict[str, Value]:
    """Values of the formal parameters that a call passes, the object of a method included."""
    target = evaluator.project.function(function.path, function.qualname)
    if target is None:
        return {}
    bindings: dict[str, Value] = {}
    if function.bound and target.ir.parameters:
        bindings[target.ir.parameters[0].name] = bound.receiver or NOTHING
    written = _written(function, target, bound)
    bindings |= {name: evaluator.value(expression, env) for name, expression in written.items()}
    bindings |= _unpacked(evaluator, _positional(function, target), bound, env)
    again = {argument.keyword for argument in bound.call.args}
    ahead = given_ahead(function, _positional(function, target)) if function.ahead else ()
    return bindings | {name: value for name, value in ahead if name not in again}


def with_defaults(target: Function, arguments: dict[str, Value], bound: BoundCall) -> dict[str, Value]:
    """The arguments of a call, and the defaults of the parameters that it does not pass."""
    if bound.call.has_star:
        return arguments
    left = [p for p in target.ir.parameters if p.default is not None and p.name not in arguments]
    evaluator = target.module_model.body.evaluator if left else None
    return arguments | {p.name: evaluator.value(p.default, {}) for p in left if evaluator is not None and p.default}


def groups_of_call(
    evaluator: ExpressionEvaluator, function: FunctionReference, bound: BoundCall, arguments: Mapping[str, Value]
) -> Groups:
    """The communicators that a call passes, those of objects included."""
    target = evaluator.project.function(function.path, function.qualname)
    if target is None or not evaluator.project.has_mpi_evidence:
        return parameter_groups(function.path, function.qualname, arguments)
    holding = any(value.entity is None or isinstance(value.entity, Instance) for value in arguments.values())
    part = _PartsOfArguments(evaluator, target, _written(function, target, bound), arguments) if holding else None
    return parameter_groups(function.path, function.qualname, arguments, part)


@dataclass(frozen=True, slots=True)
class _PartsOfArguments:
    """Finds the communicators of the objects that a call passes, by attributes of the parameters."""

    evaluator: ExpressionEvaluator
    target: Function
    written: Mapping[str, ir.Expression]
    arguments: Mapping[str, Value]

    def __call__(self, holder: str, chain: str) -> Communicator | None:
        function, _, parameter = holder.rpartition(":")
        value = self.arguments.get(parameter)
        if value is None or function != ":".join(self.target.key):
            return None
        if chain.startswith("#"):
            return self._of_object(value, chain[1:])
        node = self.written.get(parameter)
        if node is None:
            return None
        for name in chain.split("."):
            node = ir.Attribute(node.span, node, name)
            value = self.evaluator.attribute(value, node, {})
        return value.entity if isinstance(value.entity, Communicator) else None

    def _of_object(self, value: Value, own: str) -> Communicator | None:
        if not isinstance(value.entity, Instance):
            return None
        communicator = Communicator(own, frozenset({own}))
        if value.entity.key == "self":
            return communicator
        return self.evaluator.project.objects.seen_from_outside(communicator, value.entity)


def _written(function: FunctionReference, target: Function, bound: BoundCall) -> dict[str, ir.Expression]:
    """The expressions that a call passes, by parameter."""
    positional = _positional(function, target)
    found: dict[str, ir.Expression] = {}
    for index, argument in enumerate(bound.call.args):
        if argument.star:
            break
        if argument.keyword is not None:
            found[argument.keyword] = argument.value
        elif index < len(positional):
            found[positional[index].name] = argument.value
    return found


def _unpacked(
    evaluator: ExpressionEvaluator, positional: Sequence[ir.Parameter], bound: BoundCall, env: Environment
) -> dict[str, Value]:
    """The values of the parameters that ``*items`` fills, if the items are known."""
    starred = next((place for place, argument in enumerate(bound.call.args) if argument.star), None)
    if starred is None or bound.call.args[starred].star != "*":
        return {}
    held = evaluator.value(bound.call.args[starred].value, env)
    names = [parameter.name for parameter in positional[starred:]]
    return dict(zip(names, held.elements, strict=False)) if held.elements is not None else {}


def _positional(function: FunctionReference, target: Function) -> list[ir.Parameter]:
    parameters = target.ir.parameters[1:] if function.bound else target.ir.parameters
    return [parameter for parameter in parameters if parameter.kind in ("positional", "plain")]
