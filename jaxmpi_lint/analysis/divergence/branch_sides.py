"""The two sides of a branch: the facts known on each side, and where their communication diverges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import matches_anything, without_not
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.divergence.event_languages import Outcomes, Side
from jaxmpi_lint.analysis.divergence.interprocedural_paths import (
    Filter,
    Frames,
    OwnEvents,
    OwnSuccessors,
    PathFacts,
    decision_of_several,
)
from jaxmpi_lint.analysis.divergence.lockstep import part
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths
from jaxmpi_lint.analysis.divergence.side_comparison import (
    Agreement,
    Difference,
    compared,
    first_difference,
)
from jaxmpi_lint.analysis.lattice.interfaces import UNKNOWN, Event
from jaxmpi_lint.analysis.lattice.lattice import EITHER, RankOf, Uniformity
from jaxmpi_lint.analysis.participation.command_loops import is_endless
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, Wanted
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

TestDecision = Callable[[int, ir.Expression], bool | None]


@dataclass(frozen=True, slots=True)
class FunctionEvents:
    """A function and the communication events of its blocks."""

    function: Function
    events: OwnEvents


class BranchSides:
    """The sides of one branch, with the events that matter to the processes that diverge there."""

    def __init__(
        self,
        function_events: FunctionEvents,
        branch: ir.Branch,
        facts_of_paths: tuple[PathFacts, PathFacts],
        relevant: Filter,
        divided: Wanted,
    ) -> None:
        """``facts_of_paths`` are those of the true and the false side; ``divided`` are communicators that part here."""
        self._function_events = function_events
        self._function = function_events.function
        self._events = function_events.events
        self._branch = branch
        self._facts_of_paths = facts_of_paths
        self.relevant = relevant
        self._divided = divided

    @classmethod
    def of_test(cls, function_events: FunctionEvents, index: int, branch: ir.Branch, test: Uniformity) -> BranchSides:
        """The sides for all processes that a test divides."""
        yes, no = (_path_facts(function_events.function, index, branch, truth, test.groups) for truth in (True, False))
        function = function_events.function
        return cls(
            function_events,
            branch,
            (yes, no),
            lambda event: _relevant(function, event, test),
            lambda communicator: divides(function, test, communicator),
        )

    def difference(
        self, stop: int, paths: ConsistentPaths | None = None, own: Difference | None = None
    ) -> Difference | None:
        """Where the sides diverge before ``stop``; ``own`` is the difference before they meet, which this one may
        equal.
        """
        yes, no = self.pair(stop, paths)
        found = first_difference(yes, no, self._listens(stop))
        if found is not None:
            return found
        parting = part(yes, no) or self._left_behind(yes, no)
        if parting is None:
            return None
        return own or first_difference(yes, no, doubtful=True) or Difference.of_pair(*parting)

    def _left_behind(self, yes: Side, no: Side) -> tuple[Event | None, Event | None] | None:
        """The next collectives of both sides, if one side leaves a loop and the other must then reach a collective.

        The other side must if the loop continues; that it may end as well has the same outcome on all processes.
        """
        for side, other, start in ((yes, no, self._branch.when_false), (no, yes, self._branch.when_true)):
            (waiting, _), (ahead, _) = side.initial(), other.initial()
            if waiting or not ahead or not side.ends_within_iteration():
                continue
            calls = {event.span: event for events in other.next_events(ahead).values() for event in events}
            must = MustCollectives(self._function, self._divided).next_from(start)
            event = calls.get(must.at) if must is not None else None
            if event is not None and not event.opaque and not _may_be_of_part(event):
                return (None, event) if side is yes else (event, None)
        return None

    def agreement(self, stop: int) -> Agreement:
        """Why no difference before ``stop`` is known, where there is none."""
        listens = self._listens(stop)
        for doubtful in (False, True):
            found = compared(*self.pair(stop), listens, doubtful)
            if isinstance(found, Agreement):
                return found
        return Agreement.SAME

    def with_all_events(self) -> BranchSides:
        """The same sides, with the events on all communicators, whichever processes these have."""
        return BranchSides(
            self._function_events, self._branch, self._facts_of_paths, lambda event: event, self._divided
        )

    def pair(self, stop: int, paths: ConsistentPaths | None = None) -> tuple[Side, Side]:
        """The paths of the true side and of the false side up to ``stop``."""
        yes, no = self._facts_of_paths
        return self._side(self._branch.when_true, stop, yes, paths), self._side(
            self._branch.when_false, stop, no, paths
        )

    def whole_function(self, decide: TestDecision) -> Side:
        """The paths through the function of a process on which some tests have known outcomes."""
        graph = self._function.graph
        return self._side(0, graph.exit, PathFacts(decide), None)

    def _side(self, start: int, stop: int, path_facts: PathFacts, paths: ConsistentPaths | None) -> Side:
        successors = self._successors(path_facts.decide, paths)
        frames = Frames(self._function, self.relevant, successors, self._events, path_facts)
        return Side((0, start), (0, stop), frames, paths.known if paths is not None else frozenset())

    def _listens(self, stop: int) -> bool:
        """Whether data that a rank received determines the paths on one of the sides."""
        graph = self._function.graph
        region = graph.reachable(self._branch.when_true, stop) | graph.reachable(self._branch.when_false, stop)
        return any(
            block.index in region and value.content.level is Level.LOCAL and value.content.source is None
            for block, _, value in self._function.branches()
        )

    def _successors(self, decide: TestDecision, paths: ConsistentPaths | None) -> OwnSuccessors:
        decided: dict[int, tuple[int, ...]] = {}

        def successors(block: int, outcomes: Outcomes) -> Iterator[tuple[int, Outcomes]]:
            if block not in decided:
                decided[block] = self._decided(block, decide)
            targets = decided[block]
            if paths is not None and len(targets) > 1:
                targets = self._decided(block, lambda end, _: paths.decide(end, outcomes))
            for target in targets:
                yield target, paths.extended(outcomes, block, target) if paths is not None else outcomes

        return successors

    def _decided(self, block: int, decide: TestDecision) -> tuple[int, ...]:
        targets = self._function.graph.successors[block]
        if block >= len(self._function.ir.blocks):
            return targets
        terminator = self._function.ir.blocks[block].terminator
        if not isinstance(terminator, ir.Branch) or len(targets) < 2:
            return targets
        if is_endless(terminator) or matches_anything(terminator):
            return (terminator.when_true,)
        outcome = decide(block, terminator.test)
        if outcome is None:
            return targets
        return (terminator.when_true if outcome else terminator.when_false,)


def _path_facts(function: Function, index: int, branch: ir.Branch, truth: bool, groups: frozenset[str]) -> PathFacts:
    """The facts implied by one outcome of a test that divides the processes of ``groups``."""
    assumption = Assumption(function, index, truth)
    assumptions = [assumption, *_agreed(function, index, branch.test)]
    of_several = decision_of_several(function, groups)
    number = _compared_with_rank(function, index, branch.test)
    otherwise = of_several if number is None else _given(number, of_several)
    return PathFacts(_first_decision(assumptions, otherwise), fact=assumption.fact)


def _compared_with_rank(function: Function, index: int, test: ir.Expression) -> str | None:
    """The variable that a test compares with the rank: where the processes diverge, one of them has found it equal."""
    test, env = without_not(test), function.flow.environment_before(index, None)
    if not isinstance(test, ir.Comparison) or test.operators not in (("==",), ("!=",)):
        return None
    values = [function.value(operand, env) for operand in test.operands]
    if sum(isinstance(value.entity, RankOf) for value in values) != 1:
        return None
    at = 1 if isinstance(values[0].entity, RankOf) else 0
    return ir.dotted(test.operands[at]) if not values[at].content.level.diverges else None


def _given(number: str, otherwise: TestDecision) -> TestDecision:
    """Decisions where a variable is a number, so that it is not None on any process."""

    def decide(block: int, test: ir.Expression) -> bool | None:
        match test:
            case ir.Comparison(operands=(left, right), operators=("is" | "is not" | "==" | "!=" as operator,)):
                if ir.is_none(right) and ir.dotted(left) == number:
                    return operator in ("is not", "!=")
        return otherwise(block, test)

    return decide


def _first_decision(assumptions: Sequence[Assumption], otherwise: TestDecision) -> TestDecision:
    def decide(block: int, test: ir.Expression) -> bool | None:
        decisions = (assumption.decide_test(block, test) for assumption in assumptions)
        return next((decision for decision in decisions if decision is not None), otherwise(block, test))

    return decide


def _agreed(function: Function, index: int, test: ir.Expression) -> list[Assumption]:
    """Conditions that hold on all processes where they diverge: with ``debug and rank == 0``, only while debugging."""
    test = without_not(test)
    if not isinstance(test, ir.BooleanOperation):
        return []
    env = function.flow.environment_before(index, None)
    return [
        Assumption(function, index, test.operator == "and", operand)
        for operand in test.operands
        if not function.value(operand, env).content.level.diverges
    ]


def _may_be_of_part(event: Event) -> bool:
    """Whether the communicator is one of several that the program has made: perhaps of those that stay in the loop."""
    return event.communicator is not None and EITHER in event.communicator.context and "@" in event.communicator.context


def _relevant(function: Function, event: Event, test: Uniformity) -> Event | None:
    """An event on a communicator whose processes the test divides; events on unknown communicators are opaque.

    In a called function, a communicator may be an alias of one that is known here.
    """
    if event.communicator is None or divides(function, test, event.communicator):
        return event
    if not event.trail or event.communicator.is_self or event.communicator.ancestors & test.groups:
        return None
    return Event((UNKNOWN, *event.label), event.span, event.block, trail=event.trail)
