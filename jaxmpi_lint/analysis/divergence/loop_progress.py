"""Tests inside of loops that may hold in the last iteration only, when every process ends the loop anyway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def depends_on_progress(function: Function, branch: ir.Branch) -> bool:
    """Whether a test compares what a loop around it counts, iterates over, or tests itself."""
    compared = set(_names(branch.test))
    return any(
        compared & _of_loop(function, loop) for _, loop in function.loops_around(branch.span) if loop is not branch
    )


def leaves_loop(function: Function, block: int, branch: ir.Branch) -> bool:
    """Whether one outcome of a test leads out of the innermost loop around it, and the other need not."""
    loops = function.loops_around(branch.span)
    if not loops:
        return False
    header = loops[0][0].index
    stays = [header in function.graph.reachable(target) for target in (branch.when_true, branch.when_false)]
    return stays[0] != stays[1]


def _of_loop(function: Function, loop: ir.Branch) -> set[str]:
    if not isinstance(loop.test, ir.Element):
        return set(_names(loop.test))
    return {
        node.id
        for step in function.ir.blocks[loop.when_true].steps
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Element) and step.value.span == loop.test.span
        for target in step.targets
        for node in ir.walk(target)
        if isinstance(node, ir.Name)
    }


def _names(expression: ir.Expression) -> Iterator[str]:
    """The names of an expression outside of calls: a called function may ask for anything."""
    if isinstance(expression, ir.Name):
        yield expression.id
    elif not isinstance(expression, ir.Call):
        for child in ir.children(expression):
            yield from _names(child)
