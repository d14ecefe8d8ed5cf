"""Path sequences: the language of communication events between two points of a function, compared.

Every path from a block to a stopping point spells a word of events. Two starting points agree if they spell the same
set of words; the automata are the control-flow graph itself, made deterministic on the way (Hopcroft and Karp, 1971).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jaxmpi_lint.analysis.events import Event

_STATES = 256
"""Pairs of state sets after which a comparison gives up, silently."""

Outcomes = frozenset[tuple[int, bool]]  # blocks that end in a test, and what it said
State = tuple[int, Outcomes]  # block, what was tested on the way
Position = tuple[int, int, Outcomes]  # block, number of its events already taken, what was tested on the way
Successors = Callable[[int, Outcomes], Iterable[State]]


@dataclass(frozen=True, slots=True)
class Side:
    """The paths from ``start`` up to ``stop``; ``successors`` may leave out what is excluded by what was tested."""

    start: int
    stop: int
    successors: Successors
    events: Callable[[int], list[Event]]
    known: Outcomes = frozenset()

    def closure(self, positions: Iterable[Position]) -> tuple[frozenset[Position], bool]:
        """Where the next event can be, and whether the paths can end first."""
        waiting: set[Position] = set()
        ends = False
        stack, seen = list(positions), set(positions)
        while stack:
            block, taken, outcomes = stack.pop()
            if block == self.stop:
                ends = True
                continue
            if taken < len(self.events(block)):
                waiting.add((block, taken, outcomes))
                continue
            for target, known in self.successors(block, outcomes):
                if (target, 0, known) not in seen:
                    seen.add((target, 0, known))
                    stack.append((target, 0, known))
        return frozenset(waiting), ends

    def initial(self) -> tuple[frozenset[Position], bool]:
        """The state before the first event."""
        return self.closure([(self.start, 0, self.known)])

    def next_events(self, state: frozenset[Position]) -> dict[tuple[str, ...], Event]:
        """The possible next events, by label; of several calls with one label the first in the text."""
        found: dict[tuple[str, ...], Event] = {}
        for block, taken, _ in state:
            event = self.events(block)[taken]
            known = found.get(event.label)
            if known is None or event.span < known.span:
                found[event.label] = event
        return found

    def advance(self, state: frozenset[Position], label: tuple[str, ...]) -> tuple[frozenset[Position], bool]:
        """The state after an event."""
        moved = [
            (block, taken + 1, outcomes) for block, taken, outcomes in state if self.events(block)[taken].label == label
        ]
        return self.closure(moved)

    def labels(self) -> tuple[frozenset[tuple[str, ...]], bool]:
        """All labels on the paths, and whether one of them can come again."""
        first = (self.start, self.known)
        behind: dict[State, list[State]] = {}
        stack = [first]
        while stack:
            state = stack.pop()
            if state not in behind and state[0] != self.stop:
                behind[state] = list(self.successors(*state))
                stack += behind[state]
        communicating = [state for state in behind if self.events(state[0])]
        labels = frozenset(event.label for block, _ in communicating for event in self.events(block))
        return labels, any(_returns(state, behind) for state in communicating)


def _returns(state: State, behind: dict[State, list[State]]) -> bool:
    """Whether a state can be reached from itself."""
    seen: set[State] = set()
    stack = list(behind[state])
    while stack:
        other = stack.pop()
        if other == state:
            return True
        if other not in seen:
            seen.add(other)
            stack += behind.get(other, ())
    return False


@dataclass(frozen=True, slots=True)
class Difference:
    """The first point at which two sides can part: the events that only one of them can do next."""

    left: tuple[Event, ...]
    right: tuple[Event, ...]
    left_next: tuple[Event, ...]
    right_next: tuple[Event, ...]


def first_difference(left: Side, right: Side) -> Difference | None:
    """Where two sides part, or None if they spell the same words or if it cannot be told."""
    queue = [(left.initial(), right.initial())]
    seen: set[tuple[frozenset[Position], frozenset[Position]]] = set()
    while queue and len(seen) < _STATES:
        (a, a_ends), (b, b_ends) = queue.pop(0)
        if (a, b) in seen:
            continue
        seen.add((a, b))
        next_a, next_b = left.next_events(a), right.next_events(b)
        only_a = [event for label, event in next_a.items() if label not in next_b]
        only_b = [event for label, event in next_b.items() if label not in next_a]
        if only_a or only_b or a_ends != b_ends:
            if any(event.opaque for event in (*next_a.values(), *next_b.values())):
                return None
            if _same_up_to_repetition(left, right):
                return None
            shown_a = only_a or (list(next_a.values()) if b_ends and not only_b else [])
            shown_b = only_b or (list(next_b.values()) if a_ends and not only_a else [])
            return Difference(
                _in_text_order(shown_a),
                _in_text_order(shown_b),
                _in_text_order(next_a.values()),
                _in_text_order(next_b.values()),
            )
        queue += [(left.advance(a, label), right.advance(b, label)) for label in next_a]
    return None


def _in_text_order(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=lambda event: event.span))


def _same_up_to_repetition(left: Side, right: Side) -> bool:
    """Whether the sides have the same events in loops whose trip counts are not compared here."""
    left_labels, left_loops = left.labels()
    right_labels, right_loops = right.labels()
    return left_loops and right_loops and left_labels == right_labels
