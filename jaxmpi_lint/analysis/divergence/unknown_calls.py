"""Comparison of sides with calls of unknown communication: each may stand for any sequence of events.

The sides must differ if no choice of these sequences makes them equal: ``? Barrier`` differs from nothing, whatever
the unknown call communicates, but may be the same as a single ``Barrier``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.agreement import disagree
from jaxmpi_lint.analysis.lattice.interfaces import UNKNOWN
from jaxmpi_lint.analysis.lattice.limits import LANGUAGE_STATES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.event_languages import Position, Side
    from jaxmpi_lint.analysis.lattice.interfaces import Event


class _Undecided(Exception):
    """A path whose events cannot be compared."""


def may_be_equal(left: Side, right: Side) -> bool:
    """Whether some sequence of both sides is the same, for some communication of the unknown calls."""
    try:
        return _meet(left, right)
    except _Undecided:
        return True


def _meet(left: Side, right: Side) -> bool:
    stack = [(one, other) for one in _next(left, _start(left)) for other in _next(right, _start(right))]
    seen = set(stack)
    while stack:
        one, other = stack.pop()
        if one is None and other is None:
            return True
        if len(seen) > LANGUAGE_STATES:
            raise _Undecided
        for following in _moves(left, one, right, other):
            if following not in seen:
                seen.add(following)
                stack.append(following)
    return False


def _moves(
    left: Side, one: Position | None, right: Side, other: Position | None
) -> Iterator[tuple[Position | None, Position | None]]:
    """The pairs of places after one event of either side, or of both."""
    mine, theirs = _event(left, one), _event(right, other)
    if mine is not None and mine.opaque:
        yield from ((place, other) for place in _behind(left, one))
    if theirs is not None and theirs.opaque:
        yield from ((one, place) for place in _behind(right, other))
    if mine is None or theirs is None:
        return
    if mine.opaque:
        yield from ((one, place) for place in _behind(right, other))
    elif theirs.opaque:
        yield from ((place, other) for place in _behind(left, one))
    elif mine.label == theirs.label and not disagree([mine], [theirs]):
        yield from ((a, b) for a in _behind(left, one) for b in _behind(right, other))


def _event(side: Side, place: Position | None) -> Event | None:
    event = side.event(place) if place is not None else None
    if event is not None and event.label[0] == UNKNOWN:
        raise _Undecided
    return event


def _start(side: Side) -> Position:
    return side.start, 0, side.known


def _behind(side: Side, place: Position | None) -> list[Position | None]:
    assert place is not None
    node, taken, outcomes = place
    return _next(side, (node, taken + 1, outcomes))


def _next(side: Side, place: Position) -> list[Position | None]:
    """The places of the next events, and the end if it may come before one."""
    found: list[Position | None] = []
    stack, seen = [place], {place}
    while stack:
        position = stack.pop()
        if position[0] == side.stop:
            found.append(None)
        elif side.event(position) is not None:
            found.append(position)
        elif side.walk.is_endless(position[0]):
            raise _Undecided  # a role that serves the others until it is told to stop
        else:
            fresh = [following for following in side.moves(position) if following not in seen]
            seen.update(fresh)
            stack += fresh
    return found
