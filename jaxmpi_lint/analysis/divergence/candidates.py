"""Branch that processes may take differently, with facts about its two sides that are computed on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.impossible_values import has_one_outcome
from jaxmpi_lint.analysis.divergence.branch_sides import BranchSides, FunctionEvents
from jaxmpi_lint.analysis.divergence.description import Description
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.later_tests import LaterTests
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths
from jaxmpi_lint.analysis.divergence.side_comparison import Difference
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import Uniformity
from jaxmpi_lint.analysis.lattice.trace import Evidence, Subject

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Scope:
    """Data shared by the candidates of one function.

    ``reported`` are the blocks of reported branches, ``covered`` those that are decided by an earlier branch whose
    difference was not confirmed.
    """

    function_events: FunctionEvents
    covered: set[int]
    reported: set[int]


class Candidate:
    """A branch with the uniformity of its test; the sides are those of all processes that the test divides."""

    def __init__(self, scope: Scope, block: int, branch: ir.Branch, test: Uniformity) -> None:
        self.scope = scope
        self.block = block
        self.branch = branch
        self.test = test

    # --- the branch ---

    @property
    def function(self) -> Function:
        """The function that contains the branch."""
        return self.scope.function_events.function

    @property
    def subject(self) -> Subject:
        """The branch, for a trace."""
        return Subject.of(self.function, self.branch.span)

    @cached_property
    def meeting(self) -> int:
        """The block where the sides meet."""
        return self.function.graph.immediate_postdominator(self.block)

    @cached_property
    def is_covered(self) -> bool:
        """Whether an earlier branch that decides this one had a difference that was not confirmed."""
        return self.block in self.scope.covered

    # --- the sides up to where they meet ---

    @cached_property
    def sides(self) -> BranchSides:
        """What each side communicates."""
        return BranchSides.of_test(self.scope.function_events, self.block, self.branch, self.test)

    @cached_property
    def difference(self) -> Difference | None:
        """Where the sides diverge before they meet."""
        return self.sides.difference(self.meeting)

    @property
    def events(self) -> tuple[Event, ...]:
        """The next events that only one of the sides has."""
        return (*self.difference.left, *self.difference.right) if self.difference is not None else ()

    @cached_property
    def side_events(self) -> list[Event]:
        """What either side may communicate, on any communicator."""
        graph = self.function.graph
        starts = (self.branch.when_true, self.branch.when_false)
        blocks = frozenset().union(*(graph.reachable(start, self.meeting) for start in starts)) - {self.meeting}
        return [event for block in sorted(blocks) for event in self.scope.function_events.events(block)]

    # --- evidence ---

    def at_branch(self, seen: str) -> Evidence:
        """Evidence located at the branch."""
        return Evidence(seen, Place(self.function.module, self.branch.span))

    def at_event(self, event: Event, seen: str) -> Evidence:
        """Evidence located at a call of this function."""
        return Evidence(seen, Place(self.function.module, event.span))

    # --- the sides up to the end of the function ---

    @cached_property
    def later(self) -> LaterTests:
        """The tests elsewhere in the function that may be related to this one."""
        return LaterTests(self.scope.function_events, self.block)

    @cached_property
    def correlated(self) -> set[int]:
        """Later branches whose outcome follows from the outcome of this one."""
        return self.later.correlated(self.meeting) if self.meeting != self.function.graph.exit else set()

    @cached_property
    def paths(self) -> ConsistentPaths:
        """The outcomes of other tests on the paths from this branch."""
        return ConsistentPaths(self.function, self.block)

    @cached_property
    def difference_to_the_end(self) -> Difference | None:
        """The difference that remains when later branches with the same outcome are taken into account."""
        return self.sides.difference(self._stop, own=self.difference) if self.correlated else self.difference

    @cached_property
    def has_possible_path(self) -> bool:
        """Whether the difference remains on feasible paths, where repeated tests have one outcome."""
        return not self.paths or self.sides.difference(self._stop, self.paths, self.difference) is not None

    @property
    def _stop(self) -> int:
        return self.function.graph.exit if self.correlated else self.meeting

    @property
    def remains(self) -> bool:
        """Whether the sides differ up to the end of the function."""
        return self.difference_to_the_end is not None and self.has_possible_path

    @cached_property
    def is_presumed(self) -> bool:
        """Whether the difference counts: the sides differ to the end, and no earlier branch may compensate for it."""
        return self.remains and not self.is_covered

    # --- what would be reported ---

    @cached_property
    def description(self) -> Description:
        """The description of the difference."""
        assert self.difference is not None
        return Description(
            self.scope.function_events, self.block, self.branch, self.test, self.sides, self.difference, self.meeting
        )

    @property
    def divergence(self) -> Divergence:
        """The description for the rules."""
        return self.description.divergence

    @cached_property
    def is_of_later(self) -> bool:
        """Whether a correlated branch compensates for this one and then differs itself."""
        whole, own = self.difference_to_the_end, self.difference
        if not self.correlated or whole is None or own is None or not self.has_possible_path:
            return False
        return self.later.has_difference(whole, own, self.correlated)


def is_settled(candidate: Candidate) -> bool:
    """Whether the tests that control the branch decide its outcome, or the assignments before it."""
    if has_one_outcome(candidate.function, candidate.branch.test):
        return True
    return candidate.paths.decide(candidate.block, candidate.paths.known) is not None
