"""The exits of one role for which the others wait in one place: one mistake, however often it is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.checks.exits.divergent_exits import DivergentExit
from jaxmpi_lint.checks.exits.exit_finder import ExitFinder

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


def divergent_exit_groups(project: Program, function: Function) -> list[list[DivergentExit]]:
    """The lone exits of a function, each group in the order of the text; assertions are not with the rest."""
    found: dict[tuple[object, ...], list[DivergentExit]] = {}
    for left in _exits(project, function):
        role, ahead = left.role, left.ahead
        key = (role.branch.span, role.truth, ahead.module.path, ahead.at, ahead.span, left.kind == "assert")
        found.setdefault(key, []).append(left)
    return [sorted(group, key=lambda left: left.span) for group in found.values()]


def _exits(project: Program, function: Function) -> Iterator[DivergentExit]:
    """Those of the function itself and of the runs that calls make of it, one for each place."""
    seen: set[ir.Span] = set()
    for run in (function, *project.contexts.of(function)):
        for left in ExitFinder(run, project.get(AbortHandlers)).find():
            if left.span not in seen and (run is function or left.kind != "assert"):
                seen.add(left.span)
                yield left
