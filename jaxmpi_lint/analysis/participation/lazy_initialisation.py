"""Lazy initialisation: functions that communicate in their first call and return the stored result afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import Guard, guards_of_all_ways
from jaxmpi_lint.analysis.lattice.limits import LAZY_INITIALISATION_CALLS
from jaxmpi_lint.analysis.uniformity.communicator_usage import called_function

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def later_calls_may_communicate(function: Function, depth: int = 0) -> bool:
    """Whether calls of a function after the first may communicate outside of the initialisation."""
    if depth > LAZY_INITIALISATION_CALLS:
        return True
    for block, bound in function.calls_by_block:
        if not function.project.summaries.call_may_communicate(bound, function.module) or _fills_once(function, block):
            continue
        callee = called_function(bound)
        inner = function.project.function(callee.path, callee.qualname) if callee is not None else None
        if inner is None or inner is function or later_calls_may_communicate(inner, depth + 1):
            return True
    return False


def _fills_once(function: Function, block: int) -> bool:
    return any(_outlasts(function, _kept(guard)) for guard in guards_of_all_ways(function, block))


def _outlasts(function: Function, kept: str | None) -> bool:
    """Whether a value that a function assigns persists until its next call."""
    if kept is None or kept not in function.assignments:
        return False
    return "." in kept or kept in function.ir.globals | function.ir.nonlocals


def _kept(guard: Guard) -> str | None:
    """The field or name that is None, or missing, where the guard permits the initialisation."""
    test, truth = ir.strip_not(guard.branch.test, guard.truth)
    match test:
        case ir.Comparison(operands=(kept, ir.Constant(value=None)), operators=("is" | "==",)) if truth:
            return ir.dotted(kept)
        case ir.Comparison(operands=(kept, ir.Constant(value=None)), operators=("is not" | "!=",)) if not truth:
            return ir.dotted(kept)
        case ir.Call(
            func=ir.Name(id="hasattr"),
            args=(ir.Argument(value=owner), ir.Argument(value=ir.Constant(value=str() as name))),
        ) if not truth:
            return f"{ir.dotted(owner)}.{name}"
        case ir.Attribute() | ir.Name() if not truth:
            return ir.dotted(test)
    return None
