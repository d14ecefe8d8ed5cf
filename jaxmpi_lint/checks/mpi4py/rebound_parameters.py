"""Broadcasts whose result only replaces a parameter: the caller's object, which the root has changed, stays old."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import is_read_after, nested_functions, reads_anywhere
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.uniformity.container_mutation import FILLING
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ReboundParameter:
    """``values = comm.bcast(values)`` for a parameter ``values``, after the root alone has changed the object."""

    function: Function
    bound: BoundCall
    text: str
    changed: ir.Span
    kind: str = "rebound"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: nothing reads the result."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The method."""
        return self.bound.known_operation.method

    def steps(self) -> Iterator[Step]:
        """The change on the root."""
        yield Step(self.function.module, self.changed, "one rank changes the object of its caller here")


def rebound_parameters(function: Function) -> Iterator[ReboundParameter]:
    """The broadcasts of a function that only replace a parameter which one rank has changed."""
    if function.ir.kind not in ("function", "method") or function.ir.is_too_large:
        return
    names = {parameter.name for parameter in function.ir.parameters if parameter.name != function.self_name}
    for block, bound, _ in operation_steps(function, lambda bound: _is_broadcast(function, bound)):
        sent = bound.argument(bound.known_operation.sends[0])
        step = _assignment(block, bound)
        if not isinstance(sent, ir.Name) or sent.id not in names or step is None:
            continue
        if [ir.dotted(target) for target in step.targets] != [sent.id]:
            continue
        changed = _changed_by_one(function, sent.id)
        if changed is not None and not _is_used(function, block, step, sent.id):
            yield ReboundParameter(function, bound, sent.id, changed)


def _is_broadcast(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    return operation is not None and operation.method == "bcast" and is_mpi4py_call(function.project, bound, function)


def _assignment(block: ir.Block, bound: BoundCall) -> ir.Assign | None:
    for step in block.steps:
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call) and step.value.span == bound.call.span:
            return step
    return None


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


def _is_used(function: Function, block: ir.Block, step: ir.Step, name: str) -> bool:
    """Whether the function, or one inside it, reads the name after the broadcast."""
    inside = (node for one in nested_functions(function) for read in reads_anywhere(one) for node in ir.walk(read))
    is_closed_over = any(isinstance(node, ir.Name) and node.id == name for node in inside)
    return is_closed_over or name in function.ir.globals or is_read_after(function, block, step, name, set())
