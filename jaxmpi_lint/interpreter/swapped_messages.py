"""Two messages of one tag that are swapped where both neighbours are the same rank.

On a periodic ring of two ranks, the left neighbour is also the right one. MPI matches messages of one sender and one
tag in the order in which they were sent (MPI 4.1, section 3.5), so a receive from the left may get what was sent to the
left. Numbers of ranks for which the two neighbours differ show which receive a send is meant for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.events import Place, Receive, Send
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_At = tuple[str, "ir.Span"]
_NOTE = "pairs of sends and receives"


@dataclass(slots=True)
class Pairs:
    """For each send of a buffer, the receives that have taken its messages.

    ``contents`` are those of the first message of each sender, receiver and send, ``events`` the first ones of each
    pair.
    """

    receives: dict[_At, set[_At]] = field(default_factory=dict)
    contents: dict[tuple[int, int], dict[_At, object]] = field(default_factory=dict)
    events: dict[tuple[_At, _At], tuple[Receive, Send]] = field(default_factory=dict)


def note(world: World, event: Receive, number: int, send: Send, sender: int, content: object) -> None:
    """Record which receive of a rank takes a message of buffers."""
    if event.is_object or event.source < 0:
        return
    pairs: Pairs = world.notes.setdefault(_NOTE, Pairs())
    sent, taken = _at(send.place), _at(event.place)
    pairs.receives.setdefault(sent, set()).add(taken)
    pairs.contents.setdefault((sender, number), {}).setdefault(sent, _content(send, content))
    pairs.events.setdefault((sent, taken), (event, send))


def _content(send: Send, content: object) -> object:
    """What is sent, or its expression if it is not known."""
    if content is not None:
        return freeze(content)
    start, end = send.place.span
    given = send.place.module.text[start:end].partition("(")[2]
    return given.partition("dest=")[0] if "dest=" in given else given.partition(",")[0]


def of(world: World) -> Pairs:
    """The pairs of a world."""
    found: Pairs = world.notes.get(_NOTE) or Pairs()
    return found


def fault(pairs: Mapping[int, Pairs]) -> tuple[int, Fault] | None:
    """The first two messages of one sender that each other's receive has taken, with the number of ranks."""
    for size, (sender, number), one, other in _candidates(pairs):
        few = pairs[size]
        meant = next((_receives(more, one, other) for more in pairs.values() if _are_apart(more, one, other)), None)
        if meant is None or _receives(few, one, other) != meant[::-1]:
            continue
        event, send = few.events[one, meant[1]]
        line = f"line {send.place.row}"
        detail = (
            f"rank {sender} is both neighbours of rank {number}, so the message of {line} is taken for the other one"
        )
        return size, Fault(Kind.SWAPPED, event, number, sender, send, detail)
    return None


def _candidates(pairs: Mapping[int, Pairs]) -> Iterator[tuple[int, tuple[int, int], _At, _At]]:
    """Two sends of one sender to the same receiver, of different contents."""
    for size, found in sorted(pairs.items()):
        for route, contents in sorted(found.contents.items()):
            for one, other in combinations(contents, 2):
                if contents[one] != contents[other]:
                    yield size, route, one, other


def _receives(pairs: Pairs, one: _At, other: _At) -> tuple[_At, _At] | None:
    """The receives of two sends, if each has one of its own."""
    taken = pairs.receives.get(one, set()), pairs.receives.get(other, set())
    if len(taken[0]) != 1 or len(taken[1]) != 1 or taken[0] == taken[1]:
        return None
    return next(iter(taken[0])), next(iter(taken[1]))


def _are_apart(pairs: Pairs, one: _At, other: _At) -> bool:
    """Whether the two sends never go from one rank to the same other one."""
    both = any(one in contents and other in contents for contents in pairs.contents.values())
    return not both and _receives(pairs, one, other) is not None


def _at(place: Place) -> _At:
    return place.module.path, place.span
