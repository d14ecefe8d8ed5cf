"""Collectives that all ranks pass before they test for a file: its absence or presence is then the same for all.

A file that the program makes on one rank exists after the barrier; an input existed before the run. In a loop, a file
from outside of the program may appear between the tests of two ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.later_tests import origin_of
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.candidates import Candidate
    from jaxmpi_lint.analysis.lattice.interfaces import Event

_ORDERING = frozenset({"barrier", "bcast", "allreduce", "allgather", "allgatherv", "alltoall", "sync_global_devices"})
"""Collectives that no rank leaves before the root, or before all ranks, have reached them."""


def barrier_before(candidate: Candidate) -> Event | None:
    """A collective on every path to a branch that is taken once and asks for the file itself.

    None if a test that parts the ranks lies in between: one of them may change the file there.
    """
    graph, block = candidate.function.graph, candidate.block
    if not _asks_here(candidate) or any(block in graph.reachable(target) for target in graph.successors[block]):
        return None
    for other in sorted(graph.reachable(0)):
        if other >= len(candidate.function.ir.blocks) or block in graph.reachable(0, other):
            continue  # a path leads around it
        for event in candidate.scope.function_events.events(other):
            if _orders(event) and not _parts_between(candidate, other):
                return event
    return None


def _asks_here(candidate: Candidate) -> bool:
    origin = origin_of(candidate.test)
    start, end = candidate.branch.test.span
    return origin is not None and origin[1] == candidate.function.module.path and start <= origin[0][0] < end


def _orders(event: Event) -> bool:
    operation = event.operation
    return (
        operation is not None
        and not event.trail
        and operation.kind in COLLECTIVE_KINDS
        and operation.event.lower() in _ORDERING
    )


def _parts_between(candidate: Candidate, start: int) -> bool:
    graph, block = candidate.function.graph, candidate.block
    between = [one for one in graph.reachable(start) if one != block and block in graph.reachable(one)]
    tests = {found.index: value for found, _, value in candidate.function.branches()}
    return any(one in tests and tests[one].content.level.diverges for one in between)
