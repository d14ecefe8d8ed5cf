"""The steps of a function that make certain calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

Found = tuple[ir.Block, "BoundCall", "Environment"]


def steps_with(function: Function, calls: Iterable[BoundCall]) -> Iterator[Found]:
    """The positions where a function makes certain calls: the block, the call, and the environment before it."""
    wanted = {bound.call.span: bound for bound in calls}
    for block, step, env in function.steps(lambda step: _call_span(step) in wanted) if wanted else ():
        span = _call_span(step)
        if span is not None:
            yield block, wanted[span], env


def operation_steps(function: Function, wanted: Callable[[BoundCall], object]) -> Iterator[Found]:
    """The positions where a function calls a wanted operation of a communication library."""
    return steps_with(function, filter(wanted, function.operation_calls))


def named_steps(function: Function, names: Collection[str]) -> Iterator[Found]:
    """The positions where a function calls one of these names, or the result of a call, which may be one of them.

    Only the blocks with such calls are visited: the data flow of all steps takes longer than most analyses.
    """
    return steps_with(function, (bound for bound in function.calls() if _may_be_named(function, bound, names)))


def _may_be_named(function: Function, bound: BoundCall, names: Collection[str]) -> bool:
    entity = bound.callee.entity
    named = isinstance(entity, Named) and function.project.canonical(entity.dotted) in names
    return named or isinstance(bound.call.func, ir.Call)


def _call_span(step: ir.Step) -> ir.Span | None:
    return step.expression.span if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call) else None
