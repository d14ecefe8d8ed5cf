"""Comparison of the languages of communication events between two points of a function.

Every path from a block to a stopping point spells a word of events. Two starting points agree if they spell the same
set of words; the automata are the control-flow graph itself, determinized on the fly (Hopcroft and Karp, 1971).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol

from jaxmpi_lint.analysis.lattice.interfaces import Event

Node = tuple[int, int]  # frame of a function, 0 for the one whose sides are compared, and block in it
Places = tuple[tuple[Node, int], ...]  # nodes, and the number of their events already consumed
Outcomes = frozenset[tuple[int, bool]]  # blocks that end in a test, and its outcome
OutcomeSequence = tuple[bool, ...]  # the outcomes of a test, one evaluation after the other
Position = tuple[Node, int, Outcomes]  # node, number of its events already consumed, outcomes of tests on the way


@dataclass(frozen=True, slots=True)
class UniformTest:
    """A test that is equal on all processes, or, not ``is_uniform``, one that only one side may reach.

    ``key`` is the same for both sides; ``yes`` is the successor for the outcome ``True``, ``around`` the keys of the
    loops around it, the innermost first. ``lasts`` if the outcome is the same in every iteration.
    """

    key: Hashable
    loops: bool
    yes: Node
    around: tuple[Hashable, ...]
    lasts: bool = False
    is_uniform: bool = True

    def outcome_sequences(self) -> tuple[OutcomeSequence, ...]:
        """The possible outcomes of the test; the last is repeated, but a loop test restarts after its last one."""
        if self.loops:
            return (True, False), (True, True, False)
        changes = ((True, False), (False, True)) if self.around and not self.lasts else ()
        return (True,), (False,), *changes

    @property
    def is_open(self) -> bool:
        """Whether the number of times the test has one outcome before it has the other is unknown."""
        return self.is_uniform and (self.loops or (bool(self.around) and not self.lasts))


class Walk(Protocol):
    """Successors of nodes and their communication events."""

    def events(self, node: Node) -> list[Event]:
        """What a block communicates, in order."""

    def enter(self, node: Node, taken: int) -> Places | None:
        """Where the function that a call runs begins; None if its communication is one event."""

    def leave(self, node: Node) -> tuple[Node, int] | None:
        """The node in the caller where execution continues after a called function has returned."""

    def successors(self, node: Node, outcomes: Outcomes) -> Iterable[tuple[Node, Outcomes]]:
        """The successors of a block, without those excluded by the outcomes of tests."""

    def repeats(self, node: Node) -> bool:
        """Whether a block ends in the test of a loop."""

    def is_endless(self, node: Node) -> bool:
        """Whether a block ends in the test of an endless loop."""

    def crossing(self, node: Node) -> UniformTest | None:
        """The test at the end of a block, if it is equal on all processes."""

    def unknown_test(self, node: Node) -> UniformTest | None:
        """The test at the end of a block that is not a loop's and does not depend on what a loop iterates over."""


@dataclass(frozen=True, slots=True)
class Side:
    """The paths from ``start`` up to ``stop``; with ``known_only``, unknown calls count as silent."""

    start: Node
    stop: Node
    walk: Walk
    known: Outcomes = frozenset()
    known_only: bool = False

    def closure(self, positions: Iterable[Position]) -> tuple[frozenset[Position], bool]:
        """The positions of the next event, and whether the paths can end before one."""
        waiting: set[Position] = set()
        ends = False
        stack, seen = list(positions), set(positions)
        while stack:
            position = stack.pop()
            if position[0] == self.stop:
                ends = True
            elif self.event(position) is not None:
                waiting.add(position)
            else:
                for following in self.moves(position):
                    if following not in seen:
                        seen.add(following)
                        stack.append(following)
        return frozenset(waiting), ends

    def event(self, position: Position) -> Event | None:
        """The event at a position, before any move."""
        node, taken, _ = position
        events = self.walk.events(node)
        if taken >= len(events) or self.walk.enter(node, taken) is not None:
            return None
        return None if self.known_only and events[taken].opaque else events[taken]

    def moves(self, position: Position) -> Iterable[Position]:
        """The successors of a position without an event."""
        node, taken, outcomes = position
        if taken < len(self.walk.events(node)):
            places = self.walk.enter(node, taken)
            silent = ((node, taken + 1),) if self.known_only else ()
            return [(*place, outcomes) for place in (silent if places is None else places)]
        left = self.walk.leave(node)
        if left is not None:
            return [(*left, outcomes)]
        return [(target, 0, known) for target, known in self.walk.successors(node, outcomes)]

    def initial(self) -> tuple[frozenset[Position], bool]:
        """The state before the first event."""
        return self.closure([(self.start, 0, self.known)])

    def next_events(self, state: frozenset[Position]) -> dict[tuple[str, ...], list[Event]]:
        """The possible next events, by label, in the order of the text."""
        found: dict[tuple[str, ...], list[Event]] = {}
        for position in state:
            event = self.event(position)
            assert event is not None
            found.setdefault(event.label, []).append(event)
        return {label: sorted(events, key=place_of) for label, events in found.items()}

    def advance(self, state: frozenset[Position], label: tuple[str, ...]) -> tuple[frozenset[Position], bool]:
        """The state after an event."""
        return self.closure([behind(position) for position in state if _label(self.event(position)) == label])

    def ends_within_iteration(self) -> bool:
        """Whether the paths can end before the first event and before the test of a loop."""
        stack: list[Position] = [(self.start, 0, self.known)]
        seen = set(stack)
        while stack:
            position = stack.pop()
            if position[0] == self.stop:
                return True
            if self.event(position) is not None or self.walk.repeats(position[0]):
                continue
            fresh = [following for following in self.moves(position) if following not in seen]
            seen.update(fresh)
            stack += fresh
        return False

    def labels(self) -> tuple[frozenset[tuple[str, ...]], bool]:
        """All labels on the paths, and whether one of them can be repeated."""
        following: dict[Position, list[Position]] = {}
        stack: list[Position] = [(self.start, 0, self.known)]
        communicating: list[Position] = []
        labels: set[tuple[str, ...]] = set()
        while stack:
            position = stack.pop()
            if position in following or position[0] == self.stop:
                continue
            event = self.event(position)
            if event is not None:
                communicating.append(position)
                labels.add(event.label)
            following[position] = [behind(position)] if event is not None else list(self.moves(position))
            stack += following[position]
        return frozenset(labels), any(_returns(position, following) for position in communicating)


def behind(position: Position) -> Position:
    """The position after the next event of a block."""
    node, taken, outcomes = position
    return node, taken + 1, outcomes


def _label(event: Event | None) -> tuple[str, ...] | None:
    return event.label if event is not None else None


def place_of(event: Event) -> tuple[object, ...]:
    return event.span, event.trail_spans


def _returns(position: Position, behind: dict[Position, list[Position]]) -> bool:
    """Whether a position can be reached from itself."""
    seen: set[Position] = set()
    stack = list(behind[position])
    while stack:
        other = stack.pop()
        if other == position:
            return True
        if other not in seen:
            seen.add(other)
            stack += behind.get(other, ())
    return False
