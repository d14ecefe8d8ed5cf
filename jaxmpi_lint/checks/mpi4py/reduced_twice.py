"""Sums over the ranks of values that already are sums over the same ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, ResultOf, SizeOf
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SUMS = ("MPI.SUM", "MPI.PROD")


@dataclass(frozen=True, slots=True)
class ReducedTwice:
    """A reduction to all ranks whose operand is the result of such a reduction."""

    function: Function
    bound: BoundCall
    operand: ir.Expression
    first: ResultOf

    @property
    def place(self) -> Place:
        """The second reduction."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the program may count on the factor."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The operand, as it is written."""
        return self.function.module.line(self.operand.span)

    def steps(self) -> Iterator[Step]:
        """The first reduction."""
        model = self.function.project.module(self.first.path)
        if model is not None:
            yield Step(model.ir, self.first.span, "the first reduction: equal on all ranks afterwards")


def reduced_twice(function: Function) -> Iterator[ReducedTwice]:
    """The second reductions of a function."""
    for _, bound, env in operation_steps(function, lambda bound: _is_sum(function, bound)):
        operand = bound.argument(bound.known_operation.sends[0]) if bound.known_operation.sends else None
        entity = function.value(operand, env).entity if operand is not None else None
        if operand is None or not isinstance(entity, ResultOf) or entity.operation != bound.known_operation.name:
            continue
        if _is_of_same_ranks(function, bound, operand, entity, env) and not _is_divided(function, bound.call, env):
            yield ReducedTwice(function, bound, operand, entity)


def _is_of_same_ranks(
    function: Function, bound: BoundCall, operand: ir.Expression, first: ResultOf, env: Environment
) -> bool:
    """Whether both reductions are on one communicator: a sum over rows may be summed over all ranks."""
    model = function.project.module(first.path)
    for other in model.functions() if model is not None else ():
        for call in other.operation_calls:
            if call.call.span == first.span and call.communicator is not None and bound.communicator is not None:
                communicator: object = call.communicator
                if other.key != function.key:
                    communicator = _passed(function, operand, call.communicator, env) or communicator
                return isinstance(communicator, Communicator) and communicator.groups == bound.communicator.groups
    return False


def _passed(function: Function, operand: ir.Expression, formal: Communicator, env: Environment) -> object:
    """What the call that gives the operand passes for a communicator that is a parameter of the called function."""
    values = [operand, *function.assignments.get(ir.dotted(operand) or "", {}).values()]
    for value in values:
        made = function.bound(value) if isinstance(value, ir.Call) else None
        entity = made.callee.entity if made is not None else None
        if made is None or not isinstance(entity, FunctionReference):
            continue
        name = formal.context.rpartition(":")[2]
        target = function.project.function(*entity.key)
        names = [one.name for one in target.ir.parameters if one.name != target.self_name] if target is not None else []
        given = made.call.argument(names.index(name), name) if name in names else None
        if given is not None:
            return function.value(given, env).entity
    return None


def _is_sum(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    if operation is None or operation.kind is not Kind.COLLECTIVE or operation.result is not Result.SAME:
        return False
    if operation.reduction is None or operation.buffer or not is_mpi4py_call(function.project, bound, function):
        return False
    operator = bound.argument(operation.reduction)
    return operator is None or (ir.dotted(operator) or "").endswith(_SUMS)


def _is_divided(function: Function, call: ir.Call, env: Environment) -> bool:
    """Whether the result is divided by the number of ranks at once, which makes it a mean of equal values."""
    for step in function.ir.steps():
        value = (
            step.value if isinstance(step, ir.Assign) else step.expression if isinstance(step, ir.Evaluate) else None
        )
        for node in ir.walk(value) if value is not None else ():
            match node:
                case ir.BinaryOperation(operator="/" | "//", left=left, right=right):
                    inside = any(part.span == call.span for part in ir.walk(left))
                    if inside and isinstance(function.value(right, env).entity, SizeOf):
                        return True
    return False
