"""Comparison of the two sides of a branch: the first point where they differ, or why no difference is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from jaxmpi_lint.analysis.divergence.agreement import disagree
from jaxmpi_lint.analysis.divergence.event_languages import Position, Side, place_of
from jaxmpi_lint.analysis.divergence.unknown_calls import may_be_equal
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.limits import LANGUAGE_STATES


@dataclass(frozen=True, slots=True)
class Difference:
    """The first point at which two sides can diverge: the events that only one of them can have next.

    ``is_assumed`` if calls of unknown communication are made before; they cannot make the sides equal.
    """

    left: tuple[Event, ...]
    right: tuple[Event, ...]
    left_next: tuple[Event, ...]
    right_next: tuple[Event, ...]
    is_assumed: bool = False

    @classmethod
    def of_pair(cls, left: Event | None, right: Event | None) -> Difference:
        """The difference of two events, of which one may be the end of its side."""
        mine, others = (() if left is None else (left,)), (() if right is None else (right,))
        return cls(mine, others, mine, others)


class Agreement(Enum):
    """Why no difference between two sides is known."""

    SAME = "both sides have the same sequences of communication"
    UNKNOWN_CALL = "a call with unknown communication is made where the sides diverge"
    SOME_PATHS = "some paths of the two sides have the same communication, and other tests choose between the paths"
    SAME_IN_LOOPS = "both sides repeat the same calls in loops, and the trip counts are not compared"
    TOO_MANY = "there are too many sequences to compare"


def first_difference(left: Side, right: Side, messages: bool = False, doubtful: bool = False) -> Difference | None:
    """Where two sides diverge, or None if they spell the same words or if that is undecided.

    ``messages``: received messages determine the paths, and the other side may depend on them.
    """
    found = compared(left, right, messages, doubtful)
    return found if isinstance(found, Difference) else None


def compared(left: Side, right: Side, messages: bool = False, doubtful: bool = False) -> Difference | Agreement:
    """The first difference of two sides, or why none is known.

    A ``doubtful`` difference may be none: some words are the same, or have the same events in loops.
    """
    for step in _steps(left, right):
        if step is None:
            return Agreement.TOO_MANY
        difference = step.difference()
        if difference is not None:
            sure = step.is_sure or not (messages or step.is_from_callees)
            if step.is_opaque:
                return _in_spite_of_unknown_calls(left, right, messages)
            if not doubtful and not sure:
                return Agreement.SOME_PATHS
            if not doubtful and _same_up_to_repetition(left, right) and not leaves_alone(left, right):
                return Agreement.SAME_IN_LOOPS
            return difference
    return Agreement.SAME


def _in_spite_of_unknown_calls(left: Side, right: Side, messages: bool) -> Difference | Agreement:
    """The difference that remains whatever the unknown calls communicate."""
    if messages or left.known_only or may_be_equal(left, right):
        return Agreement.UNKNOWN_CALL
    found = compared(replace(left, known_only=True), replace(right, known_only=True), messages)
    if not isinstance(found, Difference) or any(map(_is_of_part, (*found.left, *found.right))):
        return Agreement.UNKNOWN_CALL
    return replace(found, is_assumed=True)


def _is_of_part(event: Event) -> bool:
    """Whether it is on a communicator that the program has made, possibly of the processes that agree on the test."""
    made = event.communicator
    return made is None or bool(made.ancestors) or (made.origin is not None and " | " in made.context)


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
        return Difference(
            _in_text_order(shown_left),
            _in_text_order(shown_right),
            _in_text_order(_all(self.left)),
            _in_text_order(_all(self.right)),
        )


def _all(events: dict[tuple[str, ...], list[Event]]) -> list[Event]:
    return [group[0] for group in events.values()]


def _in_text_order(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted(events, key=place_of))


def leaves_alone(left: Side, right: Side) -> bool:
    """Whether one side can end in the middle of an iteration in which the other communicates."""
    (_, left_ends), (_, right_ends) = left.initial(), right.initial()
    return left_ends != right_ends and (left if left_ends else right).ends_within_iteration()


def _same_up_to_repetition(left: Side, right: Side) -> bool:
    """Whether the sides have the same events in loops whose trip counts are not compared here."""
    left_labels, left_loops = left.labels()
    right_labels, right_loops = right.labels()
    return left_loops and right_loops and left_labels == right_labels
