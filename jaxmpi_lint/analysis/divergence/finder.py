"""Where the processes of a communicator part: branches they decide differently and whose sides communicate differently.

The method is that of PARCOACH (collectives per block and communicator, post-dominance) with two additions: sides are
compared as languages of events instead of by presence, and conditions that repeat are one condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, repeats, without_not
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.configuration_choices import choices, choices_of_call
from jaxmpi_lint.analysis.conditions.rank_facts import Assumption
from jaxmpi_lint.analysis.conditions.world_sizes import may_part
from jaxmpi_lint.analysis.divergence.branch_sides import Scene, Sides
from jaxmpi_lint.analysis.divergence.divergence import Divergence
from jaxmpi_lint.analysis.divergence.event_languages import Difference
from jaxmpi_lint.analysis.divergence.interprocedural_paths import Filter
from jaxmpi_lint.analysis.divergence.path_consistency import ConsistentPaths
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import Uniformity
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.participation.command_loops import is_role_loop
from jaxmpi_lint.analysis.small_worlds.counted_exits import is_cut_off
from jaxmpi_lint.analysis.small_worlds.parted_pairs import Parted, PartedPairs, Verdict
from jaxmpi_lint.analysis.small_worlds.passes import is_divisible, made_up_for
from jaxmpi_lint.analysis.small_worlds.pieces import Split
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Graph

_MATTERING = frozenset({Level.RANK, Level.LOCAL})


class FunctionDivergences:
    """Finds the divergences of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._blocks = function.ir.blocks
        self._covered: set[int] = set()
        self._postponed: dict[int, tuple[Divergence, set[int]]] = {}

    @property
    def _graph(self) -> Graph:
        return self._function.graph

    def find(self) -> Iterator[Divergence]:
        """Every divergence, one for each branch."""
        parting = list(self._parting())
        if not parting or not self._has_events():
            return
        reported: set[int] = set()
        for block, branch, uniformity in parting:
            if self._function.module_model.is_declared_uniform(branch.span):
                continue
            if block.index in self._covered and (reported or self._postponed):
                continue  # what the earlier divergence leaves to make up for is not known
            if self._live(block.index, branch, uniformity):
                divergence = self._examine(block.index, branch, uniformity)
                divergence = divergence or self._examine_pieces(block.index, branch, uniformity)
                if divergence is None or not may_part(self._function, block.index, branch.test):
                    continue
                if self._is_agreed_there(divergence, block.index, branch):
                    continue
                if block.index not in self._postponed:
                    reported.add(block.index)
                    yield divergence
        for divergence, later in self._postponed.values():
            if not later & reported:
                yield divergence

    def _is_agreed_there(self, divergence: Divergence, index: int, branch: ir.Branch) -> bool:
        """Whether all processes come to one outcome with the settings with which they communicate at all.

        Behind ``if parallel: wanted = comm.bcast(wanted)``, the value differs only where nobody is parallel.
        """
        event = divergence.event
        chosen = choices(self._function, event.block) | choices_of_call(self._function, event.span)
        if not chosen:
            return False
        test = self._function.run_where(chosen).flow.tests.get(index)
        return test is None or deciding_facet(branch, test).level not in _MATTERING

    def _parting(self) -> Iterator[tuple[ir.Block, ir.Branch, Uniformity]]:
        """The branches that processes may take differently."""
        for block, branch, test in self._function.branches():
            uniformity = deciding_facet(branch, test)
            if uniformity.level in _MATTERING:
                yield block, branch, uniformity

    def _has_events(self) -> bool:
        if self._function.any_call_may_communicate:
            return True
        text = self._function.module.source(self._function.ir.span)
        return any(f".{name}" in text for name in self._function.project.summaries.properties)

    def _live(self, index: int, branch: ir.Branch, test: Uniformity) -> bool:
        """Whether both sides lead on: a side that always raises or aborts is compared with nothing.

        Nor is one that ends the program because of a file: that is how input is checked.
        """
        targets = self._graph.successors[index]
        if branch.when_true not in targets or branch.when_false not in targets:
            return False
        return test.source is not Source.FILES or not any(map(self._ends_program, targets))

    def _ends_program(self, start: int) -> bool:
        """Whether every path from a block ends the process on purpose."""
        seen, stack = {start}, [start]
        while stack:
            block = stack.pop()
            if block in self._function.leaving or (block != self._graph.exit and self._leaves_main(block, seen)):
                continue
            if block == self._graph.exit:
                return False
            for target in self._graph.successors[block]:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return True

    def _leaves_main(self, index: int, passed: set[int]) -> bool:
        """Whether a block returns from the function that is the program, with nothing communicated on the way."""
        terminator = self._blocks[index].terminator
        returns = isinstance(terminator, ir.Return) and self._function.module.source(terminator.span)[:6] == "return"
        if not returns or any(self._block_events(block) for block in passed):
            return False
        sites = self._function.project.get(CallSites).of(self._function)
        return bool(sites) and all(site.caller is self._function.module_model.body for site in sites)

    def _block_events(self, index: int) -> list[Event]:
        if index >= len(self._blocks) or self._function.flow.entries[index] is None:
            return []
        return self._function.block_events(index)

    def _examine(self, index: int, branch: ir.Branch, test: Uniformity) -> Divergence | None:
        meeting = self._graph.immediate_postdominator(index)
        sides = Sides.of_test(self._scene, index, branch, test)
        difference = sides.difference(meeting)
        if difference is None or (test.level is Level.LOCAL and self._asks_again(index, meeting, test, difference)):
            return None
        correlated = self._correlated_later(index, meeting) if meeting != self._graph.exit else set()
        stop = self._graph.exit if correlated else meeting
        paths = ConsistentPaths(self._function, index)
        if paths.decide(index, paths.known) is not None:
            return None
        whole = sides.difference(stop, own=difference) if correlated else difference
        if whole is not None and paths and sides.difference(stop, paths, difference) is None:
            whole = None
        presumed = whole is not None and index not in self._covered
        if not self._is_confirmed(index, branch, sides, difference, presumed):
            self._covered |= correlated
            return None
        stored = not isinstance(without_not(branch.test), ir.BooleanOperation)
        if test.overruled and stored and self._is_guarded(difference, branch):
            return None
        divergence = self._describe(index, branch, test, difference, self._next_event(meeting, sides))
        if divergence is not None and correlated and whole and self._is_of_later(whole, difference, correlated):
            self._postponed[index] = divergence, correlated
        return divergence

    def _is_confirmed(
        self, index: int, branch: ir.Branch, sides: Sides, difference: Difference, presumed: bool
    ) -> bool:
        """Whether two ranks of a small world part; what is ``presumed`` holds unless all of them surely agree."""
        events = (*difference.left, *difference.right)
        communicator = next((event.communicator for event in events if event.communicator is not None), None)
        if communicator is None:
            return presumed
        verdict = self._pairs.compare(Split.nothing(communicator), index, branch, sides.relevant, not presumed)
        return isinstance(verdict, Parted) or (presumed and verdict is not Verdict.SAME)

    def _examine_pieces(self, index: int, branch: ir.Branch, test: Uniformity) -> Divergence | None:
        """Whether the branch parts processes of one piece that was split off."""
        paths = ConsistentPaths(self._function, index)
        if not self._pairs.pieces.splits or paths.decide(index, paths.known) is not None:
            return None
        for piece, split in self._pairs.pieces.splits.items():
            parted = self._pairs.compare(split, index, branch, _only_of(piece))
            if isinstance(parted, Parted):
                meeting = self._graph.immediate_postdominator(index)
                others = self._next_event(meeting, parted.sides)
                return self._describe(index, branch, test, parted.difference, others)
        return None

    @cached_property
    def _scene(self) -> Scene:
        return Scene(self._function, self._block_events)

    @cached_property
    def _pairs(self) -> PartedPairs:
        return PartedPairs(self._scene)

    def _is_guarded(self, difference: Difference, branch: ir.Branch) -> bool:
        """Whether another test decides as well about what only some do: it may be what makes all processes agree."""
        events = difference.left or difference.right
        start = branch.when_true if difference.left else branch.when_false
        return any(event.trail or not self._graph.always_passes(start, event.block) for event in events)

    def _correlated_later(self, index: int, meeting: int) -> set[int]:
        """Later branches that decide about communication and are decided by the outcome of this one."""
        assumptions = [Assumption(self._function, index, truth) for truth in (True, False)]
        return {
            block
            for block in self._graph.reachable(meeting)
            if block < len(self._blocks)
            and block != index
            and isinstance(self._blocks[block].terminator, ir.Branch)
            and any(assumption.decide(block) is not None for assumption in assumptions)
            and any(self._decided_events(block))
        }

    def _asks_again(self, index: int, meeting: int, test: Uniformity, difference: Difference) -> bool:
        """Whether another test of the same local data decides about such calls, in a way that may make up for this.

        Of ranks it is known which tests exclude each other, of other values only that equal tests have one outcome.
        """
        origin = _origin(test)
        behind = self._graph.reachable(meeting)
        same = Assumption(self._function, index, True)
        events = (*difference.left, *difference.right, *difference.left_next, *difference.right_next)
        return any(
            block.index in behind or index in self._graph.reachable(self._graph.immediate_postdominator(block.index))
            for block, _, value in self._function.branches()
            if block.index != index
            and value.content.level is Level.LOCAL
            and _origin(value.content) == origin
            and same.decide(block.index) is None
            and self._decides_about(block.index, {event.label for event in events})
        )

    def _decides_about(self, index: int, labels: set[tuple[str, ...]]) -> bool:
        """Whether a branch decides about calls, some of which may be those of the labels."""
        return any(event.opaque or event.label in labels for event in self._decided_events(index))

    def _decided_events(self, index: int) -> Iterator[Event]:
        """What a branch decides about."""
        meeting = self._graph.immediate_postdominator(index)
        for target in self._graph.successors[index]:
            for block in self._graph.reachable(target, meeting):
                yield from self._block_events(block)

    def _is_of_later(self, whole: Difference, own: Difference, correlated: set[int]) -> bool:
        """Whether what a branch does is made up for by a later one, which then does something of its own."""
        spans = [event.span for event in (*whole.left, *whole.right)]
        if any(event.span in spans for event in (*own.left, *own.right)):
            return False
        terminators = [self._blocks[block].terminator for block in correlated]
        extents = [terminator.extent for terminator in terminators if isinstance(terminator, ir.Branch)]
        return any(first <= start < last for first, last in extents for start, _ in spans)

    # --- telling it ---

    def _describe(
        self, index: int, branch: ir.Branch, test: Uniformity, difference: Difference, later: Event | None
    ) -> Divergence | None:
        """The divergence; ``later`` is what comes when the sides have met."""
        truth = bool(difference.left)
        shown = difference.left if truth else difference.right
        if not shown or is_expected_to_fail(self._function.ir, shown[0].span):
            return None
        instead = difference.right_next if truth else difference.left_next
        both = bool(difference.left), bool(difference.right)
        kind = self._kind(branch, shown[0], *both)
        event = next((e for e in shown if kind != "exit" or not is_cut_off(self._function, index, e.block)), None)
        if event is None or (kind == "loop" and (made_up_for(self._function, event) or is_divisible(self._function))):
            return None
        others = instead[0] if instead else later
        return Divergence(
            self._function,
            branch,
            test,
            truth,
            kind,
            event,
            others if others is not event else None,
            self._in_role_loop(event.block, index),
            self._names(index, branch),
        )

    def _kind(self, branch: ir.Branch, event: Event, left: bool, right: bool) -> str:
        if repeats(branch) and branch.extent[0] <= event.span[0] < branch.extent[1]:
            return "loop"
        if branch.kind in ("and", "or", "conditional", "comprehension"):
            return "short-circuit"
        if left and right:
            return "mismatch"
        return "branch" if branch.extent[0] <= event.span[0] < branch.extent[1] else "exit"

    def _next_event(self, start: int, sides: Sides) -> Event | None:
        seen, queue = {start}, [start]
        while queue:
            block = queue.pop(0)
            for event in self._block_events(block):
                if not event.opaque and sides.relevant(event) is not None:
                    return event
            for target in self._graph.successors[block]:
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
        return None

    def _in_role_loop(self, block: int, branch_block: int) -> bool:
        """Whether the event repeats in a loop of one role that does not also contain the branch."""
        for index in range(len(self._blocks)):
            if index == branch_block or not is_role_loop(self._function, index):
                continue
            terminator = self._blocks[index].terminator
            assert isinstance(terminator, ir.Branch)
            body = self._graph.reachable(terminator.when_true, index)
            if block in body and branch_block not in body and index in self._graph.reachable(block):
                return True
        return False

    def _names(self, index: int, branch: ir.Branch) -> tuple[str, str]:
        """Who takes the true and the false side."""
        text = self._function.module.line(branch.test.span)
        if repeats(branch):
            return f"processes with another pass of `{text}`", f"processes without another pass of `{text}`"
        fact = Assumption(self._function, index, True).fact
        if fact is not None:
            one, rest = f"rank {fact.number}", f"the ranks other than {fact.number}"
            return (one, rest) if fact.equal else (rest, one)
        return f"processes where `{text}` holds", f"processes where `{text}` does not hold"


def _only_of(group: frozenset[str]) -> Filter:
    """Keeps what is on communicators of one group of processes, or may be."""

    def relevant(event: Event) -> Event | None:
        return event if event.communicator is None or event.communicator.groups == group else None

    return relevant


def _origin(test: Uniformity) -> tuple[ir.Span, str] | None:
    """Where a value that differs comes from."""
    if test.reason is None:
        return None
    source = test.reason.chain()[0]
    return source.span, source.module.path
