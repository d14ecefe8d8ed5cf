"""What pickle-based operations return, also through functions of the project that send one of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import place_of
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.model.overriding import is_overridden
from jaxmpi_lint.library.model import Result
from jaxmpi_lint.library.python.array_shapes import UNFILLED

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.library.model import Operation

NEW_ARRAYS = UNFILLED | {"numpy.zeros", "numpy.zeros_like"}
RETURNING = frozenset(
    f"mpi4py.MPI.{owner}"
    for owner in (
        *(f"Comm.{name}" for name in ("bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce")),
        *("Comm.sendrecv", "Comm.recv", "Intracomm.scan", "Intracomm.exscan"),
    )
)
"""Methods that return their result as a new object and do not modify their argument."""
_OF_NEURON = "neuron.h.ParallelContext.py_"
"""Operations of NEURON on Python objects, which do not modify their first argument either."""

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
    returned = list(_returned(target))
    unchanged = {one.id for one in returned if isinstance(one, ir.Name) and _is_unchanged(target, one.id)}
    ways = [one for one in returned if not isinstance(one, ir.Name) or one.id not in unchanged]
    found = [_handed_on(target, expression, depth + 1) for expression in ways]
    if not found or found[0] is None or any(one is None or one != found[0] for one in found):
        return None
    operation, parameter = found[0]
    if unchanged - {parameter}:
        return None
    given = arguments_of(function, bound, target).get(parameter)
    return ReturnedResult(operation, given) if given is not None else None


def _of_operation(function: Function, bound: BoundCall) -> ReturnedResult | None:
    operation = bound.operation
    if operation is not None and operation.name.startswith(_OF_NEURON):
        return ReturnedResult(operation, bound.argument(operation.parameters[0]))
    if operation is None or operation.name not in RETURNING:
        return None
    if not is_mpi4py_call(function.project, bound, function):
        return None
    return ReturnedResult(operation, bound.argument(operation.sends[0]) if operation.sends else None)


def _is_unchanged(target: Function, name: str) -> bool:
    """Whether a name is a parameter as it was passed, which a function returns for a single process."""
    return any(parameter.name == name for parameter in target.ir.parameters) and not target.rebinds(name)


def _handed_on(target: Function, expression: ir.Expression | None, depth: int) -> tuple[Operation, str] | None:
    """The operation that makes a returned expression, and the parameter that it sends unchanged."""
    while isinstance(expression, ir.BinaryOperation) and expression.operator in ("/", "*"):
        expression = expression.left  # a mean, or a sum with a factor
    if isinstance(expression, ir.Name):
        return _received(target, expression.id) if not is_overridden(target) else None
    call = target.bound(expression) if isinstance(expression, ir.Call) else None
    found = returned_result(target, call, depth) if call is not None else None
    if found is None or not isinstance(found.argument, ir.Name) or target.rebinds(found.argument.id):
        return None
    name = found.argument.id
    is_parameter = any(parameter.name == name for parameter in target.ir.parameters)
    return (found.operation, name) if is_parameter else None


def _received(target: Function, name: str) -> tuple[Operation, str] | None:
    """The operation that fills a new array, and the parameter that it sends unchanged to all ranks."""
    made = list(target.assignments.get(name, {}).values())
    created = target.bound(made[0]) if len(made) == 1 and isinstance(made[0], ir.Call) else None
    if created is None or created.dotted not in NEW_ARRAYS or not target.is_local(name):
        return None
    filling = [bound for bound in target.operation_calls if _is_filled(target, bound, name)]
    sent = filling[0].argument(filling[0].known_operation.sends[0]) if len(filling) == 1 else None
    if not isinstance(sent, ir.Name) or target.rebinds(sent.id):
        return None
    if any(place_of(place) == sent.id for place in target.places_stored) or "numpy.copyto" in target.library_names:
        return None
    is_parameter = any(parameter.name == sent.id for parameter in target.ir.parameters)
    return (filling[0].known_operation, sent.id) if is_parameter else None


def _is_filled(target: Function, bound: BoundCall, name: str) -> bool:
    operation = bound.known_operation
    if not operation.buffer or operation.received is not Result.SAME or len(operation.sends) != 1:
        return False
    given = [bound.argument(parameter) for parameter in operation.receives if parameter not in operation.sends]
    return [ir.dotted(one) for one in given if one is not None] == [name] and is_mpi4py_call(
        target.project, bound, target
    )


def _returned(function: Function) -> Iterator[ir.Expression | None]:
    for block in function.ir.blocks:
        if isinstance(block.terminator, ir.Return) and function.flow.entries[block.index] is not None:
            yield block.terminator.value
