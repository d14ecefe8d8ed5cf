"""Broadcasts whose result only replaces a parameter: the caller's object, which the root has changed, stays old."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import is_read_after
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.uniformity.container_mutation import FILLING
from jaxmpi_lint.checks.mpi4py.unread_results import UnreadResult, is_closed_over, step_of

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def rebound_parameters(function: Function) -> Iterator[UnreadResult]:
    """The broadcasts of a function that only replace a parameter which one rank has changed."""
    if function.ir.kind not in ("function", "method") or function.ir.is_too_large:
        return
    names = {parameter.name for parameter in function.ir.parameters if parameter.name != function.self_name}
    for block, bound, _ in operation_steps(function, lambda bound: _is_broadcast(function, bound)):
        sent = bound.argument(bound.known_operation.sends[0])
        step = step_of(block, bound)
        if not isinstance(sent, ir.Name) or sent.id not in names or not isinstance(step, ir.Assign):
            continue
        name = sent.id
        if [ir.dotted(target) for target in step.targets] != [name] or is_closed_over(function, name):
            continue
        changed = _changed_by_one(function, name)
        if changed is not None and not is_read_after(function, block, step, name, set()):
            yield UnreadResult(function, bound, name, name, "rebound", changed)


def _is_broadcast(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    return operation is not None and operation.method == "bcast" and is_mpi4py_call(function.project, bound, function)


def _changed_by_one(function: Function, name: str) -> ir.Span | None:
    """The first change of an object under a test of the rank or a role."""
    for block in function.ir.blocks:
        if any(guard.by_role for guard in guards(function, block.index)):
            for step in block.steps:
                if _changes(step, name):
                    return step.span
    return None


def _changes(step: ir.Step, name: str) -> bool:
    match step:
        case ir.AugmentedAssign(target=target):
            return ir.dotted(target) == name or _is_element(target, name)
        case ir.Assign(targets=targets):
            return any(_is_element(target, name) for target in targets)
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=ir.Name(id=owner), attr=method))):
            return owner == name and method in FILLING
    return False


def _is_element(target: ir.Expression, name: str) -> bool:
    return isinstance(target, ir.Subscript) and ir.dotted(target.value) == name
