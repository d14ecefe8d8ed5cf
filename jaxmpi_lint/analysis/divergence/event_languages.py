"""Comparison of the languages of communication events between two points of a function.

Every path from a block to a stopping point spells a word of events. Two starting points agree if they spell the same
set of words; the automata are the control-flow graph itself, determinized on the fly (Hopcroft and Karp, 1971).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from jaxmpi_lint.analysis.lattice.event_parts import Agreed
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.limits import LANGUAGE_STATES
from jaxmpi_lint.analysis.small_worlds.counters import OutcomeSequence

Node = tuple[int, int]  # frame of a function, 0 for the one whose sides are compared, and block in it
Outcomes = frozenset[tuple[int, bool]]  # blocks that end in a test, and its outcome
Position = tuple[Node, int, Outcomes]  # node, number of its events already consumed, outcomes of tests on the way


@dataclass(frozen=True, slots=True)
class UniformTest:
    """A test that is equal on all processes.

    ``key`` is the same for both sides; ``outcome_sequence`` has the outcomes of successive evaluations, if known;
    ``yes`` is the successor for the outcome ``True``, ``around`` the keys of the loops around it, the innermost first.
    ``lasts`` if the outcome is the same in every iteration.
    """

    key: Hashable
    loops: bool
    outcome_sequence: OutcomeSequence | None
    yes: Node
    around: tuple[Hashable, ...]
    lasts: bool = False

    def outcome_sequences(self) -> tuple[OutcomeSequence, ...]:
        """The possible outcomes of the test; the last is repeated, but a loop test restarts after its last one."""
        if self.outcome_sequence is not None:
            return (self.outcome_sequence,)
        if self.loops:
            return (True, False), (True, True, False)
        changes = ((True, False), (False, True)) if self.around and not self.lasts else ()
        return (True,), (False,), *changes

    @property
    def is_open(self) -> bool:
        """Whether the number of times the test has one outcome before it has the other is unknown."""
        return self.outcome_sequence is None and (self.loops or (bool(self.around) and not self.lasts))


class Walk(Protocol):
    """Successors of nodes and their communication events."""

    def events(self, node: Node) -> list[Event]:
        """What a block communicates, in order."""

    def enter(self, node: Node, taken: int) -> Node | None:
        """The first block of the function that a call runs; None if its communication is one event."""

    def leave(self, node: Node) -> tuple[Node, int] | None:
        """The node in the caller where execution continues after a called function has returned."""

    def successors(self, node: Node, outcomes: Outcomes) -> Iterable[tuple[Node, Outcomes]]:
        """The successors of a block, without those excluded by the outcomes of tests."""

    def crossing(self, node: Node) -> UniformTest | None:
        """The test at the end of a block, if it is equal on all processes."""


@dataclass(frozen=True, slots=True)
class Side:
    """The paths from ``start`` up to ``stop``."""

    start: Node
    stop: Node
    walk: Walk
    known: Outcomes = frozenset()

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
        return events[taken]

    def moves(self, position: Position) -> Iterable[Position]:
        """The successors of a position without an event."""
        node, taken, outcomes = position
        if taken < len(self.walk.events(node)):
            entered = self.walk.enter(node, taken)
            return [(entered, 0, outcomes)] if entered is not None else []
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
        return {label: sorted(events, key=_place) for label, events in found.items()}

    def advance(self, state: frozenset[Position], label: tuple[str, ...]) -> tuple[frozenset[Position], bool]:
        """The state after an event."""
        return self.closure([behind(position) for position in state if _label(self.event(position)) == label])

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


def _place(event: Event) -> tuple[object, ...]:
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


@dataclass(frozen=True, slots=True)
class Difference:
    """The first point at which two sides can diverge: the events that only one of them can have next."""

    left: tuple[Event, ...]
    right: tuple[Event, ...]
    left_next: tuple[Event, ...]
    right_next: tuple[Event, ...]


class Agreement(Enum):
    """Why no difference between two sides is known."""

    SAME = "both sides have the same sequences of communication"
    UNKNOWN_CALL = "a call with unknown communication is made where the sides diverge"
    SOME_PATHS = "some paths of the two sides have the same communication, and other tests choose between the paths"
    SAME_IN_LOOPS = "both sides repeat the same calls in loops, and the trip counts are not compared"
    TOO_MANY = "there are too many sequences to compare"


def first_difference(left: Side, right: Side, messages: bool = False, doubtful: bool = False) -> Difference | None:
    """Where two sides diverge, or None if they spell the same words or if that is undecided.

    ``messages``: received messages determine the paths, and the other side may depend on them. A ``doubtful``
    difference may be none: some words are the same, or have the same events in loops.
    """
    found = compared(left, right, messages, doubtful)
    return found if isinstance(found, Difference) else None


def compared(left: Side, right: Side, messages: bool = False, doubtful: bool = False) -> Difference | Agreement:
    """The first difference of two sides, or why none is known."""
    for step in _steps(left, right):
        if step is None:
            return Agreement.TOO_MANY
        difference = step.difference()
        if difference is not None:
            sure = step.is_sure or not (messages or step.is_from_callees)
            if step.is_opaque:
                return Agreement.UNKNOWN_CALL
            if not doubtful and not sure:
                return Agreement.SOME_PATHS
            if not doubtful and _same_up_to_repetition(left, right):
                return Agreement.SAME_IN_LOOPS
            return difference
    return Agreement.SAME


def spell_the_same(left: Side, right: Side) -> bool:
    """Whether two sides provably have the same words."""
    return all(step is not None and step.difference() is None for step in _steps(left, right))


def _steps(left: Side, right: Side) -> Iterator[_Step | None]:
    """The possible next steps of two sides after every common word; None at the end if there are too many."""
    queue = [(left.initial(), right.initial())]
    seen: set[tuple[frozenset[Position], frozenset[Position]]] = set()
    while queue:
        (a, a_ends), (b, b_ends) = queue.pop(0)
        if (a, b) in seen or not (a or a_ends) or not (b or b_ends):
            continue  # a side that neither continues nor ends has raised
        if len(seen) == LANGUAGE_STATES:
            yield None
            return
        seen.add((a, b))
        step = _Step(left.next_events(a), right.next_events(b), a_ends, b_ends)
        yield step
        queue += [(left.advance(a, label), right.advance(b, label)) for label in step.left]


@dataclass(frozen=True, slots=True)
class _Step:
    """The possible next events of two sides."""

    left: dict[tuple[str, ...], list[Event]]
    right: dict[tuple[str, ...], list[Event]]
    left_ends: bool
    right_ends: bool

    @property
    def is_opaque(self) -> bool:
        return any(event.opaque for event in (*_all(self.left), *_all(self.right)))

    @property
    def is_from_callees(self) -> bool:
        """Whether some events come from analysed callees, whose control dependences are less precisely known."""
        return any(event.trail for event in (*_all(self.left), *_all(self.right)))

    @property
    def is_sure(self) -> bool:
        """Whether the sides must diverge on every path; otherwise, events that may be the same count as the same."""
        return not (self.left_ends and self.right_ends) and not any(self._matches(label) for label in self.left)

    def _matches(self, label: tuple[str, ...]) -> bool:
        return label in self.right and not disagree(self.left[label], self.right[label])

    def difference(self) -> Difference | None:
        """The next events that only one side can have, or that have a different root or operator."""
        only_left = [events[0] for label, events in self.left.items() if label not in self.right]
        only_right = [events[0] for label, events in self.right.items() if label not in self.left]
        if not only_left and not only_right and self.left_ends == self.right_ends:
            parted = [label for label in self.left if disagree(self.left[label], self.right[label])]
            only_left = [self.left[label][0] for label in parted]
            only_right = [self.right[label][0] for label in parted]
            if not parted:
                return None
        shown_left = only_left or (_all(self.left) if self.right_ends and not only_right else [])
        shown_right = only_right or (_all(self.right) if self.left_ends and not only_left else [])
        return Difference(*map(_in_text_order, (shown_left, shown_right, _all(self.left), _all(self.right))))


def _all(events: dict[tuple[str, ...], list[Event]]) -> list[Event]:
    return [group[0] for group in events.values()]


def disagree(left: list[Event], right: list[Event]) -> bool:
    """Whether calls of one operation provably name different roots or reduction operators."""
    return _differ([event.root for event in left], [event.root for event in right]) or _differ(
        [event.reduction for event in left], [event.reduction for event in right]
    )


def _differ(left: list[Agreed], right: list[Agreed]) -> bool:
    return all(one.surely_differs(other) for one in left for other in right)


def _in_text_order(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=_place))


def _same_up_to_repetition(left: Side, right: Side) -> bool:
    """Whether the sides have the same events in loops whose trip counts are not compared here."""
    left_labels, left_loops = left.labels()
    right_labels, right_loops = right.labels()
    return left_loops and right_loops and left_labels == right_labels
