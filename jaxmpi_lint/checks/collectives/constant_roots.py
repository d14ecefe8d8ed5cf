"""Collectives with a constant root, and parameters that may be the intended root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.lattice import Literal
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.participation.spmd_code import conjuncts
from jaxmpi_lint.checks.collectives.root_parameters import (
    RootParameter,
    is_from_root,
    is_named_root,
    sent_and_received,
)
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def constant_root(function: Function, bound: BoundCall) -> int | None:
    """The root of a collective, if it is the same constant in every call of the function."""
    operation = bound.operation
    if operation is None or operation.root is None or operation.kind not in COLLECTIVE_KINDS or bound.call.has_star:
        return None
    if operation.library == "mpi4py" and not is_mpi4py_call(function.project, bound):
        return None
    if bound.communicator is not None and bound.communicator.is_self:
        return None
    argument = bound.argument(operation.root)
    if argument is None:
        default = operation.default(operation.root)
        return int(default) if default is not None and default.isdigit() else None
    if isinstance(argument, ir.Name) and not function.is_local(argument.id):
        entity = function.free_name(argument.id).entity
        return entity.value if isinstance(entity, Literal) and type(entity.value) is int else None
    if isinstance(argument, ir.Constant) and type(argument.value) is int:
        return argument.value
    return None


def candidates(function: Function) -> Iterator[RootParameter]:
    """Parameters of the function that may be the root, then those of enclosing functions with a name for a root."""
    plain = [p for p in function.ir.parameters if p.kind in ("positional", "plain", "keyword") and _may_be_rank(p)]
    if function.self_name is not None:
        plain = [p for p in plain if p.name != function.self_name]
    for parameter in sorted(plain, key=lambda p: not is_named_root(p.name)):
        yield RootParameter(function, parameter)
    scope = function.parent
    while scope is not None and scope.ir.kind != "module":
        for parameter in scope.ir.parameters:
            if is_named_root(parameter.name) and _may_be_rank(parameter) and not function.is_local(parameter.name):
                yield RootParameter(scope, parameter)
        scope = scope.parent


def _may_be_rank(parameter: ir.Parameter) -> bool:
    default = parameter.default.value if isinstance(parameter.default, ir.Constant) else None
    if default is not None and type(default) is not int:
        return False
    if parameter.annotation is None:
        return True
    words = {ir.dotted(node) for node in ir.walk(parameter.annotation)}
    text = [n.value for n in ir.walk(parameter.annotation) if isinstance(n, ir.Constant) and isinstance(n.value, str)]
    return "int" in words or any("int" in part for part in text)


def is_without(function: Function, bound: BoundCall, candidate: RootParameter) -> bool:
    """Whether a call is guarded by a test of the parameter for None, or for its truth."""
    if not candidate.uses.may_be_none and not candidate.uses.otherwise:
        return False
    block = next(b.index for b in function.ir.blocks if any(_is_call(step, bound.call) for step in b.steps))
    return any(
        (isinstance(test, ir.Name) and test.id == candidate.parameter.name)
        or (
            isinstance(test, ir.Comparison)
            and test.operators[0] in ("is", "is not")
            and ir.dotted(test.operands[0]) == candidate.parameter.name
        )
        for guard in guards(function, block)
        for test, _ in conjuncts(guard.branch.test, guard.truth)
    )


def _is_call(step: ir.Step, call: ir.Call) -> bool:
    return isinstance(step, ir.Evaluate) and step.expression.span == call.span


def is_tied(function: Function, bound: BoundCall, candidate: RootParameter) -> bool:
    """Whether the rank given by the parameter creates the data sent from the root, or uses the root's result."""
    sent, received = sent_and_received(bound)
    if is_from_root(bound):
        return candidate.is_own_work(function, bound.call, sent)
    return candidate.is_used_by_root(function, bound.call, received)


def is_passed_on(function: Function, bound: BoundCall) -> bool:
    """Whether a result goes to a fixed root and is broadcast from there, so that any root will do."""
    others = [
        other
        for other in function.calls()
        if other.operation is not None
        and other.operation.root is not None
        and other.call is not bound.call
        and is_from_root(other) != is_from_root(bound)
        and constant_root(function, other) is not None
        and other.communicator == bound.communicator
    ]
    return any(_feeds(function, other, bound) or _feeds(function, bound, other) for other in others)


def _feeds(function: Function, first: BoundCall, second: BoundCall) -> bool:
    """Whether the result of one call on its root is what the other call sends."""
    _, received = sent_and_received(first)
    sent, _ = sent_and_received(second)
    names = {ir.dotted(part) for expression in received for part in ir.walk(expression)} - {None}
    for step in function.ir.steps():
        if isinstance(step, ir.Assign) and step.value is not None:
            made = any(node is first.call for node in ir.walk(step.value))
            if made or any(ir.dotted(node) in names for node in ir.walk(step.value)):
                names |= {ir.dotted(target) for target in step.targets} - {None}
    return any(node is first.call or ir.dotted(node) in names for expression in sent for node in ir.walk(expression))


def is_only_communicator(function: Function, bound: BoundCall) -> bool:
    """Whether the root must be a rank of this communicator: the function uses no other one and did not create it."""
    contexts = {other.communicator for other in function.calls() if other.communicator is not None}
    own = bound.communicator
    made_here = own is not None and own.origin is not None and own.context.startswith(f"{function.module.path}@")
    start, end = function.ir.span
    return len(contexts) <= 1 and not (made_here and own is not None and start <= (own.origin or (0, 0))[0] < end)
