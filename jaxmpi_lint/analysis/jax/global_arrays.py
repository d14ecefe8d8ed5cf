"""Launches of compiled functions on arrays with shards on several JAX processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.jax.device_sets import asks_for
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference
from jaxmpi_lint.analysis.lattice.limits import GLOBAL_ARRAY_DEFINITIONS
from jaxmpi_lint.library.jax.arrays import COPIES_TO_HOST, LOCAL_ATTRIBUTES
from jaxmpi_lint.library.jax.device_placement import ALL_DEVICES, DEVICE_PUT, OWN_DEVICES
from jaxmpi_lint.library.jax.processes import MULTI_PROCESS_WORDS
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


def launches_on_global_array(function: Function, bound: BoundCall) -> bool:
    """Whether a call launches a compiled program on all processes of a multi-process JAX job."""
    if not isinstance(bound.callee.entity, Compiled) or not has_several_processes(function.project):
        return False
    return any(is_global_array(function, argument.value) for argument in bound.call.args)


def has_several_processes(project: Program) -> bool:
    """Whether any code in the project refers to JAX processes."""
    return project.mentions(MULTI_PROCESS_WORDS)


def is_global_array(function: Function, expression: ir.Expression, depth: int = 0) -> bool:
    """Whether an expression is, contains, is computed from or is an element of a global array."""
    if depth > GLOBAL_ARRAY_DEFINITIONS:
        return False
    match expression:
        case ir.Call():
            return _is_of_call(function, expression, depth)
        case ir.Attribute(attr=attr) if attr in LOCAL_ATTRIBUTES:
            return False
        case ir.Name(id=name):
            found = visible_definitions(function, name)
            return found is not None and any(is_global_array(found[0], value, depth + 1) for value in found[1])
    return any(is_global_array(function, child, depth) for child in ir.children(expression))


def _is_of_call(function: Function, call: ir.Call, depth: int) -> bool:
    """Whether a call returns a global array; a result computed from one is, too, unless copied to the host."""
    bound = function.bound(call)
    if bound is None:
        return False
    if bound.dotted == DEVICE_PUT:
        place = call.argument(1, "device")
        if place is not None and asks_for(function, place, OWN_DEVICES):
            return False
        if place is not None and asks_for(function, place, ALL_DEVICES):
            return True
    elif bound.operations or isinstance(bound.callee.entity, FunctionReference):
        return _returns_global_array(function, bound, depth)
    if (bound.dotted or "").removeprefix("builtins.") in COPIES_TO_HOST:
        return False
    if isinstance(call.func, ir.Attribute) and call.func.attr in LOCAL_ATTRIBUTES:
        return False
    return any(is_global_array(function, child, depth) for child in ir.children(call))


def _returns_global_array(function: Function, bound: BoundCall, depth: int) -> bool:
    if bound.operations:
        if bound.operations[-1].result is not Result.GLOBAL_ARRAY:
            return False
        sharding = bound.argument("sharding")
        return sharding is None or not asks_for(function, sharding, OWN_DEVICES)
    entity = bound.callee.entity
    if not isinstance(entity, FunctionReference):
        return False
    callee = function.project.function(entity.path, entity.qualname)
    if callee is None:
        return False
    return any(
        isinstance(block.terminator, ir.Return)
        and block.terminator.value is not None
        and isinstance(block.terminator.value, (ir.Call, ir.Name))
        and is_global_array(callee, block.terminator.value, depth + 1)
        for block in callee.ir.blocks
    )
