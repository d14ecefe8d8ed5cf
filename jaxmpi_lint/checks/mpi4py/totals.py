"""Expressions whose value is a sum over all ranks, or a mean, as far as calls and definitions show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions, expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, SizeOf
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.uniformity.callees import callee_of
from jaxmpi_lint.checks.mpi4py.returned_results import NEW_ARRAYS
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SUMS = ("MPI.SUM", "MPI.PROD")
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Total:
    """A sum or product over the ranks of a communicator: the reduction, and what it was divided by since."""

    function: Function
    call: ir.Call
    communicator: Communicator
    operation: str
    is_mean: bool = False
    is_ratio: bool = False


def total(function: Function, expression: ir.Expression, env: Environment, depth: int = 0) -> Total | None:
    """The sum or mean that an expression stands for, None if it is not known to be one."""
    if depth > _DEEPEST:
        return None
    match expression:
        case ir.Call():
            return _of_call(function, expression, env, depth)
        case ir.Name(id=name):
            return _of_name(function, name, env, depth)
        case ir.BinaryOperation(operator="/" | "//", left=left, right=right):
            return _of_quotient(function, left, right, env, depth)
    return None


def is_sum(function: Function, bound: BoundCall) -> bool:
    """Whether a call gives the sum or product over the ranks to all of them."""
    operation = bound.operation
    if operation is None or operation.kind is not Kind.COLLECTIVE or operation.reduction is None:
        return False
    to_all = operation.received is Result.SAME if operation.buffer else operation.result is Result.SAME
    if not to_all or not operation.blocking or not is_mpi4py_call(function.project, bound, function):
        return False
    operator = bound.argument(operation.reduction)
    return operator is None or (ir.dotted(operator) or "").endswith(_SUMS)


def is_size(function: Function, expression: ir.Expression, env: Environment, communicator: Communicator) -> bool:
    """Whether an expression is the number of ranks of a communicator."""
    entity = function.value(expression, env).entity
    return isinstance(entity, SizeOf) and entity.communicator.groups == communicator.groups


def called(function: Function, call: ir.Call) -> str:
    """The full name of the library function that a call calls; empty for others."""
    bound = function.bound(call)
    return (bound.dotted or "") if bound is not None else ""


def _of_quotient(
    function: Function, left: ir.Expression, right: ir.Expression, env: Environment, depth: int
) -> Total | None:
    found = total(function, left, env, depth)
    if found is None:
        return None
    if is_size(function, right, env, found.communicator):
        return replace(found, is_mean=True)
    other = total(function, right, env, depth)
    same = other is not None and other.communicator.groups == found.communicator.groups
    return replace(found, is_ratio=True) if same else None


def _of_name(function: Function, name: str, env: Environment, depth: int) -> Total | None:
    if any(name == parameter.name for parameter in function.ir.parameters) or not function.is_local(name):
        return None
    values = list(function.assignments.get(name, {}).values())
    if len(values) != 1 or name in function.bound_otherwise:
        return None
    received = [bound for bound in function.operation_calls if name in _names(bound, bound.known_operation.receives)]
    if not received:
        known = definitions(function, name) or ([] if function.rebinds(name) else values)
        return total(function, values[0], env, depth + 1) if known else None
    made = function.bound(values[0]) if isinstance(values[0], ir.Call) else None
    if len(received) != 1 or made is None or made.dotted not in NEW_ARRAYS or name in function.bound_in_part:
        return None
    return _of_operation(function, received[0]) if received[0].known_operation.buffer else None


def _names(bound: BoundCall, parameters: tuple[str, ...]) -> Iterator[str | None]:
    for parameter in parameters:
        given = bound.argument(parameter)
        if isinstance(given, ir.Collection) and given.elements:
            given = given.elements[0]
        yield ir.dotted(given) if given is not None else None


def _of_operation(function: Function, bound: BoundCall) -> Total | None:
    if not is_sum(function, bound) or bound.communicator is None:
        return None
    return Total(function, bound.call, bound.communicator, bound.known_operation.method.lower())


def _of_call(function: Function, call: ir.Call, env: Environment, depth: int) -> Total | None:
    bound = function.bound(call)
    if bound is None:
        return None
    if bound.operation is not None:
        return None if bound.operation.buffer else _of_operation(function, bound)
    callee = callee_of(function, bound, env) if isinstance(bound.callee.entity, FunctionReference) else None
    if callee is None or function.project.is_running(callee.function):
        return None
    found = [total(callee.function, value, at, depth + 1) for value, at in _returned(callee.function)]
    first = found[0] if found else None
    if first is None or any(one is None or _facts(one) != _facts(first) for one in found):
        return None
    return replace(first, communicator=callee.rename(first.communicator))


def _facts(one: Total) -> tuple[object, ...]:
    return one.communicator.groups, one.is_mean, one.is_ratio


def _returned(function: Function) -> list[tuple[ir.Expression, Environment]]:
    """The results of a function; empty if it may return nothing."""
    ends = [
        (block.terminator.value, block.index)
        for block in function.ir.blocks
        if isinstance(block.terminator, ir.Return) and function.flow.entries[block.index] is not None
    ]
    if any(value is None for value, _ in ends):
        return []
    return [(value, function.flow.environment_before(index, None)) for value, index in ends if value is not None]


def quotients(function: Function) -> Iterator[tuple[ir.BinaryOperation, Environment]]:
    """The quotients of a function, each with what is known before it."""
    for _, step, env in function.steps():
        yield from ((node, env) for one in expressions_read(step) for node in _divisions(one))
    for block in function.ir.blocks:
        found = [node for one in terminator_expressions(block) for node in _divisions(one)]
        if found and function.flow.entries[block.index] is not None:
            env = function.flow.environment_before(block.index, None)
            yield from ((node, env) for node in found)


def _divisions(expression: ir.Expression) -> Iterator[ir.BinaryOperation]:
    for node in ir.walk(expression):
        if isinstance(node, ir.BinaryOperation) and node.operator in ("/", "//"):
            yield node
