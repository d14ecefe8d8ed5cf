"""Remaining communication, up to the end of the program, of processes that do not reach a block."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.conditions.uniform_tests import is_alike
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import REMAINING_OPERATION_CALLS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.common_reachability import CommonReachability
from jaxmpi_lint.analysis.uniformity.communicator_usage import run_function

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SILENT_PACKAGES = (sys.stdlib_module_names | {"numpy"}) - {"concurrent", "multiprocessing", "threading"}

_LATER = ("atexit", "__del__", "weakref.finalize")
"""Mechanisms by which a process may communicate after the end of its program."""


def may_call(function: Function, block: int, operations: Collection[str]) -> bool:
    """Whether the processes that a rank-dependent test keeps from a block may still call some operations.

    They may, too, if these processes, or their code up to the end of the program, are unknown.
    """
    if function.project.mentions(_LATER):
        return True
    known = (guard for guard in guards(function, block) if guard.block in function.graph.reachable(0, block))
    apart = [g for g in known if not is_alike(function, g.block, g.branch, g.branch.test)]
    differ = all(guard.test.content.level.diverges for guard in apart)
    if not apart or not differ or not function.project.get(CommonReachability).reached_by_all(function, 0):
        return True
    for guard in apart:
        start = guard.branch.when_false if guard.truth else guard.branch.when_true
        if block in function.graph.reachable(start) or _may_go_on_to(function, start, operations, 0):
            return True
    return False


def _may_go_on_to(function: Function, start: int, operations: Collection[str], depth: int) -> bool:
    """Whether a path from a block, in the function and its callers, may lead to such a call."""
    if depth > REMAINING_OPERATION_CALLS or _may_be_in(function, function.graph.reachable(start), operations, 0):
        return True
    for site in function.project.get(CallSites).of(function):
        behind = site.bound.call.span[1]
        calls = (bound for index, bound in site.caller.calls_by_block if index == site.block)
        if any(_may_be(site.caller, bound, operations, 0) for bound in calls if bound.call.span[0] >= behind):
            return True
        targets = site.caller.graph.successors[site.block]
        if any(_may_go_on_to(site.caller, target, operations, depth + 1) for target in targets):
            return True
    return False


def _may_be_in(function: Function, blocks: Collection[int], operations: Collection[str], depth: int) -> bool:
    return any(
        _may_be(function, bound, operations, depth) for index, bound in function.calls_by_block if index in blocks
    )


def _may_be(function: Function, bound: BoundCall, operations: Collection[str], depth: int) -> bool:
    """Whether a call is one of the operations, makes such a call, or is unknown."""
    if bound.operations:
        return any(operation.event in operations for operation in bound.operations)
    reference = run_function(function.project, bound)
    called = function.project.function(reference.path, reference.qualname) if reference is not None else None
    if called is not None:
        return depth > REMAINING_OPERATION_CALLS or _may_be_in(
            called, range(len(called.ir.blocks)), operations, depth + 1
        )
    entity = bound.callee.entity
    handed = [function.value(argument.value, {}).entity for argument in bound.call.args]
    if not isinstance(entity, Named) or any(isinstance(one, FunctionReference) for one in handed):
        return True
    package = entity.dotted.partition(".")[0]
    return package not in function.project.builtins and package not in _SILENT_PACKAGES
