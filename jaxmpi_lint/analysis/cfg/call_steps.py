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
    """Where a function makes some of its calls: the block, the call, and what names hold before it."""
    wanted = {bound.call.span: bound for bound in calls}
    for block, step, env in function.steps(lambda step: _call_span(step) in wanted) if wanted else ():
        span = _call_span(step)
        if span is not None:
            yield block, wanted[span], env


def operation_steps(function: Function, wanted: Callable[[BoundCall], object]) -> Iterator[Found]:
    """Where a function calls an operation of a communication library, if the call is wanted."""
    return steps_with(function, filter(wanted, function.operation_calls))


def named_steps(function: Function, names: Collection[str]) -> Iterator[Found]:
    """Where a function calls something of these names, and where it calls what a call returns, which may be that too.

    Only the blocks with such calls are gone through: the data flow of all steps takes longer than most analyses.
    """
    return steps_with(function, (bound for bound in function.calls() if _may_be_named(function, bound, names)))


def _may_be_named(function: Function, bound: BoundCall, names: Collection[str]) -> bool:
    entity = bound.callee.entity
    named = isinstance(entity, Named) and function.project.canonical(entity.dotted) in names
    return named or isinstance(bound.call.func, ir.Call)


def _call_span(step: ir.Step) -> ir.Span | None:
    return step.expression.span if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call) else None
