"""Launches of compiled functions on arrays whose shards lie with several JAX processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.uses import visible_definitions
from jaxmpi_lint.analysis.values import Compiled, FunctionReference
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel
    from jaxmpi_lint.analysis.project import Project

_DEPTH = 4
_EVIDENCE = ("jax.distributed", "multihost_utils", "process_index", "process_count")


def launches_on_global_array(function: FunctionModel, bound: BoundCall) -> bool:
    """Whether a call starts a compiled program on all processes of a multi-process JAX job."""
    if not isinstance(bound.callee.entity, Compiled) or not has_several_processes(function.project):
        return False
    return any(is_global_array(function, argument.value) for argument in bound.call.args)


def has_several_processes(project: Project) -> bool:
    """Whether anything in the project deals with JAX processes."""
    return any(word in model.ir.text for model in project.modules() for word in _EVIDENCE)


def is_global_array(function: FunctionModel, expression: ir.Expression, depth: int = 0) -> bool:
    """Whether an expression is, contains or is an element of a global array."""
    if depth > _DEPTH:
        return False
    for node in ir.walk(expression):
        if isinstance(node, ir.Call):
            bound = function.bound(node)
            if bound is not None and _returns_global_array(function, bound, depth):
                return True
        elif isinstance(node, ir.Name):
            found = visible_definitions(function, node.id)
            if found is not None and any(is_global_array(found[0], value, depth + 1) for value in found[1]):
                return True
    return False


def _returns_global_array(function: FunctionModel, bound: BoundCall, depth: int) -> bool:
    if bound.operations:
        return bound.operations[-1].result is Result.GLOBAL_ARRAY
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
