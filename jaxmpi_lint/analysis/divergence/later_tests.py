"""Tests related to an earlier branch: tests that it decides, and tests of the same local data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.branch_sides import FunctionEvents
    from jaxmpi_lint.analysis.divergence.side_comparison import Difference
    from jaxmpi_lint.analysis.lattice.lattice import Uniformity


class LaterTests:
    """The other tests of a function, relative to the branch at the end of one block."""

    def __init__(self, function_events: FunctionEvents, block: int) -> None:
        self._function = function_events.function
        self._events = function_events.events
        self._graph = function_events.function.graph
        self._blocks = function_events.function.ir.blocks
        self._block = block

    def correlated(self, meeting: int) -> set[int]:
        """Later branches that control communication and whose outcome follows from that of this one."""
        assumptions = [Assumption(self._function, self._block, truth) for truth in (True, False)]
        return {
            block
            for block in self._graph.reachable(meeting)
            if block < len(self._blocks)
            and block != self._block
            and isinstance(self._blocks[block].terminator, ir.Branch)
            and any(assumption.decide(block) is not None for assumption in assumptions)
            and any(self._decided_events(block))
        }

    def asked_again(self, meeting: int, test: Uniformity, events: tuple[Event, ...]) -> ir.Branch | None:
        """A different test of the same local data that guards such calls and may compensate for this one.

        For ranks, mutually exclusive tests are known; for other values, only that equal tests have one outcome.
        """
        origin = origin_of(test)
        same = Assumption(self._function, self._block, True)
        for block, branch, value in self._function.branches():
            is_of_same_data = value.content.level is Level.LOCAL and origin_of(value.content) == origin
            if (
                block.index != self._block
                and is_of_same_data
                and self._is_in_line(block.index, meeting)
                and same.decide(block.index) is None
                and self.decides_about(block.index, events)
            ):
                return branch
        return None

    def _is_in_line(self, block: int, meeting: int) -> bool:
        """Whether one of the two branches comes after the other."""
        behind = self._graph.reachable(self._graph.immediate_postdominator(block))
        return block in self._graph.reachable(meeting) or self._block in behind

    def decides_about(self, block: int, events: tuple[Event, ...]) -> bool:
        """Whether a branch guards calls, some of which may be like the given ones."""
        labels = {event.label for event in events}
        return any(event.opaque or event.label in labels for event in self._decided_events(block))

    def _decided_events(self, block: int) -> Iterator[Event]:
        """The events that a branch guards."""
        meeting = self._graph.immediate_postdominator(block)
        for target in self._graph.successors[block]:
            for reached in self._graph.reachable(target, meeting):
                yield from self._events(reached)

    def has_difference(self, whole: Difference, own: Difference, correlated: set[int]) -> bool:
        """Whether a later branch compensates for the events of this branch and then has events itself."""
        spans = [event.span for event in (*whole.left, *whole.right)]
        if any(event.span in spans for event in (*own.left, *own.right)):
            return False
        terminators = [self._blocks[block].terminator for block in correlated]
        extents = [terminator.extent for terminator in terminators if isinstance(terminator, ir.Branch)]
        return any(first <= start < last for first, last in extents for start, _ in spans)


def origin_of(test: Uniformity) -> tuple[ir.Span, str] | None:
    """The origin of a value that differs."""
    if test.reason is None:
        return None
    source = test.reason.chain()[0]
    return source.span, source.module.path
