"""Exits after a loop that has found nothing: what its tests select is an item, not a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.participation.call_failures import selects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionFlow
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LOOPS = frozenset({"for", "while"})


def is_after_a_search(function: Function, flow: ExceptionFlow, exit_block: int, branch: ir.Branch, arm: int) -> bool:
    """Whether an exit follows only when a loop ends, whose passes test different items by this branch.

    ``for owner in owners: if owner == rank: break`` with a ``raise`` in its ``else``: the test has failed for all
    items, which says nothing about a single process. ``arm`` is the block after the branch. Items of one process are
    different: it alone may find nothing.
    """
    tested = {node.id for node in ir.walk(branch.test) if isinstance(node, ir.Name)}
    return any(
        exit_block not in flow.reachable(arm, header) and tested & _bound(function, flow.reachable(first, header))
        for header, first in _loops_around(function, branch)
    )


def _loops_around(function: Function, branch: ir.Branch) -> Iterator[tuple[int, int]]:
    """Headers and first blocks of the loops over common items that contain a branch."""
    for block, loop, value in function.branches():
        is_around = loop is not branch and loop.extent[0] <= branch.span[0] < loop.extent[1]
        if is_around and loop.kind in _LOOPS and not selects(value.content):
            yield block.index, loop.when_true


def _bound(function: Function, blocks: frozenset[int]) -> set[str]:
    return {name for index in blocks for step in function.ir.blocks[index].steps for name in names_bound(step)}
