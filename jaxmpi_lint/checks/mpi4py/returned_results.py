"""Functions of the project that return what a pickle-based operation made of one of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.library.model import Operation

RETURNING = frozenset(
    f"mpi4py.MPI.{owner}"
    for owner in (
        *(f"Comm.{name}" for name in ("bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce")),
        *("Comm.sendrecv", "Comm.recv", "Intracomm.scan", "Intracomm.exscan"),
    )
)
"""Methods that return their result as a new object and do not modify their argument."""

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class ReturnedResult:
    """An operation whose result a call returns, and the argument of the call that is sent."""

    operation: Operation
    argument: ir.Expression | None


def returned_result(function: Function, bound: BoundCall, depth: int = 0) -> ReturnedResult | None:
    """The operation whose result is that of a call, directly or through functions that return nothing else."""
    if bound.operations:
        return _of_operation(function, bound)
    entity = bound.callee.entity
    if not isinstance(entity, FunctionReference) or depth == _DEEPEST:
        return None
    target = function.project.function(entity.path, entity.qualname)
    if target is None or target.ir.is_generator or target.ir.is_async or target.ir.decorators:
        return None
    found = [_handed_on(target, expression, depth + 1) for expression in _returned(target)]
    if not found or found[0] is None or any(one is None or one != found[0] for one in found):
        return None
    operation, parameter = found[0]
    given = arguments_of(function, bound, target).get(parameter)
    return ReturnedResult(operation, given) if given is not None else None


def _of_operation(function: Function, bound: BoundCall) -> ReturnedResult | None:
    operation = bound.operation
    if operation is None or operation.name not in RETURNING:
        return None
    if not is_mpi4py_call(function.project, bound, function):
        return None
    return ReturnedResult(operation, bound.argument(operation.sends[0]) if operation.sends else None)


def _handed_on(target: Function, expression: ir.Expression | None, depth: int) -> tuple[Operation, str] | None:
    """The operation that makes a returned expression, and the parameter that it sends unchanged."""
    call = target.bound(expression) if isinstance(expression, ir.Call) else None
    found = returned_result(target, call, depth) if call is not None else None
    if found is None or not isinstance(found.argument, ir.Name) or target.rebinds(found.argument.id):
        return None
    name = found.argument.id
    is_parameter = any(parameter.name == name for parameter in target.ir.parameters)
    return (found.operation, name) if is_parameter else None


def _returned(function: Function) -> Iterator[ir.Expression | None]:
    for block in function.ir.blocks:
        if isinstance(block.terminator, ir.Return) and function.flow.entries[block.index] is not None:
            yield block.terminator.value
