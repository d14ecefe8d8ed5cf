"""A branch that processes may take differently, with what is known of its two sides: found out when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.divergence.branch_sides import BranchSides, FunctionEvents
from jaxmpi_lint.analysis.divergence.description import Description
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.event_languages import Difference
from jaxmpi_lint.analysis.divergence.later_tests import LaterTests
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import Uniformity
from jaxmpi_lint.analysis.lattice.trace import Evidence, Subject
from jaxmpi_lint.analysis.small_worlds.parted_pairs import Parted, PartedPairs, Verdict
from jaxmpi_lint.analysis.small_worlds.pieces import Split

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.interprocedural_paths import Filter
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Scope:
    """What the candidates of one function share.

    ``reported`` are the blocks of branches that are reported, ``postponed`` those that wait for later ones, ``covered``
    those that are decided by an earlier branch whose difference was not confirmed.
    """

    function_events: FunctionEvents
    pairs: PartedPairs
    covered: set[int]
    reported: set[int]
    postponed: set[int]


class Candidate:
    """A branch with the uniformity of its test; the sides are those of all processes that the test divides."""

    piece: frozenset[str] | None = None
    """The piece of a split communicator whose processes are compared, instead of all."""

    def __init__(self, scope: Scope, block: int, branch: ir.Branch, test: Uniformity) -> None:
        self.scope = scope
        self.block = block
        self.branch = branch
        self.test = test

    # --- the branch ---

    @property
    def function(self) -> Function:
        """The function that the branch lies in."""
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
        """Whether an earlier branch, which decides this one, had a difference that was not confirmed."""
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
        """What only one of the sides does next."""
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
        """What was seen, at the branch."""
        return Evidence(seen, Place(self.function.module, self.branch.span))

    def at_event(self, event: Event, seen: str) -> Evidence:
        """What was seen, at a call of this function."""
        return Evidence(seen, Place(self.function.module, event.span))

    # --- the sides up to the end of the function ---

    @cached_property
    def later(self) -> LaterTests:
        """The tests elsewhere that may have to do with this one."""
        return LaterTests(self.scope.function_events, self.block)

    @cached_property
    def correlated(self) -> set[int]:
        """Later branches whose outcome follows from that of this one."""
        return self.later.correlated(self.meeting) if self.meeting != self.function.graph.exit else set()

    @cached_property
    def paths(self) -> ConsistentPaths:
        """The outcomes of other tests on the ways from this branch."""
        return ConsistentPaths(self.function, self.block)

    @cached_property
    def difference_to_the_end(self) -> Difference | None:
        """The difference that is left when later branches with the same outcome are taken into account."""
        return self.sides.difference(self._stop, own=self.difference) if self.correlated else self.difference

    @cached_property
    def has_possible_path(self) -> bool:
        """Whether the difference remains on the paths that repeated tests leave."""
        return not self.paths or self.sides.difference(self._stop, self.paths, self.difference) is not None

    @property
    def _stop(self) -> int:
        return self.function.graph.exit if self.correlated else self.meeting

    @property
    def remains(self) -> bool:
        """Whether the sides differ up to the end of the function."""
        return self.difference_to_the_end is not None and self.has_possible_path

    # --- pairs of ranks in small worlds ---

    @cached_property
    def is_presumed(self) -> bool:
        """Whether the difference holds unless every pair of ranks is known to communicate the same."""
        return self.remains and not self.is_covered

    @cached_property
    def pair(self) -> Parted | Verdict:
        """Two ranks of a small world that diverge, or what is known if there are none."""
        known = (event.communicator for event in self.events if event.communicator is not None)
        communicator = next(known, None)
        if communicator is None:
            return Verdict.UNKNOWN
        whole, surely = Split.nothing(communicator), not self.is_presumed
        return self.scope.pairs.compare(whole, self.block, self.branch, self.sides.relevant, surely)

    @cached_property
    def is_confirmed(self) -> bool:
        """Whether two ranks of a small world diverge; what is presumed holds unless all agree."""
        return isinstance(self.pair, Parted) or (self.is_presumed and self.pair is not Verdict.SAME)

    # --- what would be reported ---

    @cached_property
    def description(self) -> Description:
        """What there is to say of the difference."""
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
        """Whether a correlated branch makes up for this one, and then does something else itself."""
        whole, own = self.difference_to_the_end, self.difference
        if self.piece is not None or not self.correlated or whole is None or own is None or not self.has_possible_path:
            return False
        return self.later.has_difference(whole, own, self.correlated)


class PieceCandidate(Candidate):
    """The same branch, compared for two processes of one piece of a split communicator."""

    def __init__(self, of: Candidate, piece: frozenset[str], parted: Parted) -> None:
        super().__init__(of.scope, of.block, of.branch, of.test)
        self.piece = piece
        self.paths = of.paths
        self.sides = parted.sides
        self.difference = parted.difference


def of_pieces(candidate: Candidate) -> Candidate | None:
    """The first piece in which the branch divides two processes, unless earlier tests settle the branch."""
    pairs = candidate.scope.pairs
    if not pairs.pieces.splits or is_settled(candidate):
        return None
    for piece, split in pairs.pieces.splits.items():
        parted = pairs.compare(split, candidate.block, candidate.branch, _only_of(piece))
        if isinstance(parted, Parted):
            return PieceCandidate(candidate, piece, parted)
    return None


def is_settled(candidate: Candidate) -> bool:
    """Whether tests that lead to the branch decide its outcome."""
    return candidate.paths.decide(candidate.block, candidate.paths.known) is not None


def _only_of(group: frozenset[str]) -> Filter:
    """Keeps what is on communicators of one group of processes, or may be."""

    def relevant(event: Event) -> Event | None:
        return event if event.communicator is None or event.communicator.groups == group else None

    return relevant
