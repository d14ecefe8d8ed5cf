"""Settings that a function assigns before a branch, with which the called functions do not communicate.

``runtime.ALONE = True`` before the branch, and ``if not runtime.ALONE: comm.Bcast(...)`` in a called function.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards_of_all_ways
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.trace import Evidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_DEEPEST = 4


def set_before(candidate: Candidate) -> Evidence | None:
    """The assignment of a setting that excludes the reported call."""
    function, event = candidate.function, candidate.divergence.event
    settings = dict(_assigned(function, candidate.branch.span[0]))
    places = (event.trail or _inside(function, event.span)) if settings else ()
    for tested, wanted in (one for place in places for one in _required(function.project, place)):
        given = settings.get(tested)
        if given is not None and given[0] is (not wanted):
            return Evidence("with this setting, the called function skips the call", Place(function.module, given[1]))
    return None


def _assigned(function: Function, before: int) -> Iterator[tuple[str, tuple[bool | None, ir.Span]]]:
    """The settings that a function assigns before a position, in their order; None for an unknown value."""
    steps = [step for step in function.ir.steps() if isinstance(step, ir.Assign) and step.span[1] <= before]
    for step in sorted(steps, key=lambda step: step.span):
        for target in step.targets:
            is_constant = isinstance(step.value, ir.Constant) and not function.is_conditional(step.span)
            if isinstance(target, ir.Attribute) and not _is_of_parameter(function, target):
                value = step.value.value if is_constant and isinstance(step.value, ir.Constant) else None
                yield _name(target), (bool(value) if is_constant else None, step.span)


def _is_of_parameter(function: Function, setting: ir.Attribute) -> bool:
    """Whether a setting belongs to an object that the function is given, which may be another one elsewhere."""
    first = (ir.dotted(setting) or "").partition(".")[0]
    return any(parameter.name == first for parameter in function.ir.parameters)


def _inside(function: Function, span: ir.Span, depth: int = 0) -> tuple[Place, ...]:
    """The calls that lead from a call to the only communication of the called function."""
    bound = next((bound for _, bound in function.calls_by_block if bound.call.span == span), None)
    entity = bound.callee.entity if bound is not None else None
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    if target is None or depth == _DEEPEST:
        return ()
    inner = [one.call.span for _, one in target.calls_by_block if _may_communicate(target, one)]
    if len(inner) != 1:
        return ()
    return (Place(target.module, inner[0]), *_inside(target, inner[0], depth + 1))


def _may_communicate(function: Function, bound: BoundCall) -> bool:
    return function.project.summaries.call_may_communicate(bound, function.module)


def _required(project: Program, place: Place) -> Iterator[tuple[str, bool]]:
    """The settings on which a call depends, and the truth with which it is made."""
    model = project.module(place.module.path)
    for function in model.functions() if model is not None else ():
        blocks = {block for block, bound in function.calls_by_block if bound.call.span == place.span}
        for block in blocks:
            for guard in guards_of_all_ways(function, block):
                tested, truth = ir.strip_not(guard.branch.test, guard.truth)
                if isinstance(tested, ir.Attribute) and not _is_of_parameter(function, tested):
                    yield _name(tested), truth


def _name(setting: ir.Attribute) -> str:
    """The last two parts of the name: files import a module under different names of its packages."""
    return ".".join((ir.dotted(setting) or "").split(".")[-2:])
