"""Calls that make a directory, tests for one, and what is made on the way to a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exclusive_files import is_caught
from jaxmpi_lint.analysis.conditions.guards import Guard, exclude_each_other, guards, names_role
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.participation.spmd_code import conjuncts, is_for_some
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.files import (
    LOOKING_METHODS,
    LOOKS_FOR_DIRECTORY,
    MAKEDIRS,
    MAKES_DIRECTORY,
    SAME_PATH_OF_DIRECTORY,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.checks.mpi4py.per_process_paths import OwnPaths


def place_made(bound: BoundCall) -> ir.Expression | None:
    """The directory that a call creates, whether or not the call fails if it exists."""
    if bound.dotted in MAKES_DIRECTORY:
        return bound.call.argument(0, "name" if bound.dotted == MAKEDIRS else "path")
    called = bound.call.func
    return called.value if isinstance(called, ir.Attribute) and called.attr == "mkdir" else None


def made(bound: BoundCall) -> ir.Expression | None:
    """The directory that a call creates, if the call fails if it exists."""
    call = bound.call
    if any(argument.star or argument.keyword in ("exist_ok", "dir_fd") for argument in call.args):
        return None
    if bound.dotted in MAKES_DIRECTORY:
        return call.argument(0, "name" if bound.dotted == MAKEDIRS else "path") if len(call.args) < 3 else None
    named = isinstance(bound.callee.entity, Named)
    if isinstance(call.func, ir.Attribute) and call.func.attr == "mkdir" and not named and len(call.args) < 3:
        positional = [argument for argument in call.args if argument.keyword is None]
        return None if positional else call.func.value
    return None


def looked_at(function: Function, call: ir.Call) -> str | None:
    """The text of the directory that a call looks for."""
    bound = function.bound(call)
    if bound is not None and bound.dotted in LOOKS_FOR_DIRECTORY and call.args:
        return path_text(function, call.args[0].value)
    if isinstance(call.func, ir.Attribute) and call.func.attr in LOOKING_METHODS and not call.args:
        return path_text(function, call.func.value)
    return None


def path_text(function: Function, place: ir.Expression) -> str:
    """The source text of a path, without conversions between strings and path objects."""
    while isinstance(place, ir.Call):
        name = place.func.attr if isinstance(place.func, ir.Attribute) else ir.dotted(place.func)
        if name not in SAME_PATH_OF_DIRECTORY:
            break
        if len(place.args) == 1:
            place = place.args[0].value
        elif isinstance(place.func, ir.Attribute) and not place.args:
            place = place.func.value
        else:
            break
    return "".join(function.module.source(place.span).split())


# --- what is made before a test ---


def is_made_by_some_instead(function: Function, block: int, place: ir.Expression) -> bool:
    """Whether some ranks create it in a different arm: this arm is for one rank, or for separate file systems."""
    return any(
        exclude_each_other(function, block, index) and is_for_some(function, index)
        for index, other in function.calls_by_block
        if (path := place_made(other)) is not None and path_text(function, path) == path_text(function, place)
    )


def has_passed_a_race(function: Function, block: int, span: ir.Span, own: OwnPaths) -> bool:
    """Whether a call that makes a common directory stands on every way to a place: it succeeds on one rank only."""
    return any(
        bound.call.span != span
        and (path := made(bound)) is not None
        and not is_caught(function.ir, bound.call.span)
        and not own.holds(function, path, function.flow.environment_before(index, None))
        and (bound.call.span < span if index == block else block not in function.graph.reachable(0, index))
        for index, bound in function.calls_by_block
    )


def is_there_by_then(function: Function, block: int, look: ir.Span, place: ir.Expression) -> bool:
    """Whether a rank makes the directory wherever a later test looks for it, and a collective lies in between."""
    known = {_condition(function, one, truth) for guard in guards(function, block) for one, truth in _parts(guard)}
    for index, bound in function.calls_by_block:
        path, span = place_made(bound), bound.call.span
        if path is None or span > look or path_text(function, path) != path_text(function, place):
            continue
        if exclude_each_other(function, block, index):
            continue
        around = [(guard, one, truth) for guard in guards(function, index) for one, truth in _parts(guard)]
        if all(
            _condition(function, one, truth) in known
            or _is_of_role(function, guard, one)
            or _asks_for(function, one, path)
            for guard, one, truth in around
        ) and _is_ordered(function, span, look):
            return True
    return False


def _parts(guard: Guard) -> list[tuple[ir.Expression, bool]]:
    return list(conjuncts(guard.branch.test, guard.truth))


def _condition(function: Function, condition: ir.Expression, truth: bool) -> tuple[str, bool]:
    return "".join(function.module.source(condition.span).split()), truth


def _is_of_role(function: Function, guard: Guard, condition: ir.Expression) -> bool:
    """Whether a condition selects a rank, or the runs of one process."""
    env = function.flow.environment_before(guard.block, None)
    is_of_rank = function.value(condition, env).content.level is Level.RANK
    return is_of_rank or names_role(function.module.source(condition.span))


def _asks_for(function: Function, condition: ir.Expression, path: ir.Expression) -> bool:
    """Whether a condition is a test for the directory."""
    return isinstance(condition, ir.Call) and looked_at(function, condition) == path_text(function, path)


def _is_ordered(function: Function, start: ir.Span, end: ir.Span) -> bool:
    """Whether a call that may wait for other ranks, and that no role makes alone, lies between two places."""
    return any(
        start < bound.call.span < end
        and (bound.operation_may_communicate or function.project.summaries.call_may_communicate(bound, function.module))
        and not any(guard.test.content.level is Level.RANK for guard in guards(function, index))
        for index, bound in function.calls_by_block
    )
