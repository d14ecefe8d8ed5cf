"""Functions of the project that only return what an operation on immutable arrays makes of one of their parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import arguments_of
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.library.jax.mapping_transforms import TREE_MAPS
from jaxmpi_lint.library.model import Kind, Operation, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class ReturnedArray:
    """An operation whose result a call returns, and the argument of the call that it is made of."""

    operation: Operation
    argument: ir.Expression | None


def returned_array(function: Function, bound: BoundCall, depth: int = 0) -> ReturnedArray | None:
    """The operation whose result is that of a call, directly or through functions that do nothing else."""
    operation = bound.operation
    if operation is not None:
        argument = bound.argument(operation.template or (operation.sends[0] if operation.sends else None))
        return ReturnedArray(operation, argument) if is_receiving(operation) else None
    if depth == _DEEPEST:
        return None
    if bound.dotted in TREE_MAPS:
        return _mapped(function, bound.call, depth + 1)
    entity = bound.callee.entity
    target = function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
    found = _made_of_parameter(target, depth + 1) if target is not None else None
    if found is None or target is None:
        return None
    operation, parameter = found
    given = arguments_of(function, bound, target).get(parameter)
    return ReturnedArray(operation, given) if given is not None else None


BROADCAST = "broadcast_one_to_all"


def is_receiving(operation: Operation) -> bool:
    """Whether an operation of mpi4jax or JAX returns an array, or a tree of arrays, that it has received.

    The result of ``process_allgather`` has a further axis: nobody mistakes its argument for it.
    """
    if operation.result is Result.NONE:
        return False
    if operation.kind is Kind.AXIS_COLLECTIVE:
        return bool(operation.sends)
    return operation.method == BROADCAST or (operation.library == "mpi4jax" and operation.communicates)


def _mapped(function: Function, call: ir.Call, depth: int) -> ReturnedArray | None:
    """The operation that a function applies to each leaf of a tree."""
    if len(call.args) != 2 or not isinstance(call.args[0].value, ir.Lambda):
        return None
    leaf = function.project.function(function.module.path, call.args[0].value.function)
    found = _made_of_parameter(leaf, depth) if leaf is not None else None
    return ReturnedArray(found[0], call.args[1].value) if found is not None else None


def _made_of_parameter(target: Function, depth: int) -> tuple[Operation, str] | None:
    """The operation that makes what a function returns, and the name of the parameter that it gets."""
    returned = [block.terminator for block in target.ir.blocks if isinstance(block.terminator, ir.Return)]
    unchanged = [one.value.id for one in returned if isinstance(one.value, ir.Name)]
    values = [one.value for one in returned if one.value is not None and not isinstance(one.value, ir.Name)]
    if target.ir.is_generator or target.ir.is_async or target.ir.decorators or len(values) != 1:
        return None
    asked = [one.terminator.test for one in target.ir.blocks if unchanged and isinstance(one.terminator, ir.Branch)]
    if not all(_belongs_to(step, [values[0], *asked]) for block in target.ir.blocks for step in block.steps):
        return None
    bound = target.bound(values[0]) if isinstance(values[0], ir.Call) else None
    found = returned_array(target, bound, depth) if bound is not None else None
    if found is None or not isinstance(found.argument, ir.Name) or set(unchanged) - {found.argument.id}:
        return None
    name = found.argument.id
    return (found.operation, name) if any(one.name == name for one in target.ir.parameters) else None


def _belongs_to(step: ir.Step, evaluated: list[ir.Expression]) -> bool:
    """Whether a step is a docstring, or evaluates a part of what is returned, or of a test for a single process."""
    if isinstance(step, ir.Discard):
        return isinstance(step.value, ir.Constant)
    if isinstance(step, ir.Define):
        return True
    return isinstance(step, ir.Evaluate) and any(ir.contains(one.span, step.expression.span) for one in evaluated)
