"""Groups of exits of one role for which the others wait at one place: each group is one defect."""

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
    """The divergent exits of a function, each group in text order; assertions form separate groups."""
    found: dict[tuple[object, ...], list[DivergentExit]] = {}
    for left in _exits(project, function):
        role, ahead = left.role, left.ahead
        key = (role.branch.span, role.truth, ahead.module.path, ahead.at, ahead.span, left.kind == "assert")
        found.setdefault(key, []).append(left)
    return [sorted(group, key=lambda left: left.span) for group in found.values()]


def _exits(project: Program, function: Function) -> Iterator[DivergentExit]:
    """The exits of the function itself and of its calling contexts, one for each place."""
    seen: set[ir.Span] = set()
    for run in (function, *project.contexts.of(function)):
        for left in ExitFinder(run, project.get(AbortHandlers)).find():
            if left.span not in seen and (run is function or left.kind != "assert"):
                seen.add(left.span)
                yield left
