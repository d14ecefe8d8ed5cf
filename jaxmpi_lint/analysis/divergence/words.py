"""Text for the communication of one side of a branch: the shortest sequences of events on its paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.event_languages import Position, Side
    from jaxmpi_lint.analysis.lattice.interfaces import Event

_WORDS = 3
_EVENTS = 4


@dataclass(frozen=True, slots=True)
class Word:
    """The events along some paths; an incomplete word (``complete`` is false) has further events."""

    events: tuple[Event, ...]
    complete: bool


def words(side: Side) -> tuple[list[Word], bool]:
    """The shortest words of a side, and whether there are more."""
    found: list[Word] = []
    queue: list[tuple[tuple[Event, ...], tuple[frozenset[Position], bool]]] = [((), side.initial())]
    while queue:
        events, (state, ends) = queue.pop(0)
        if len(found) == _WORDS:
            return found, True
        if ends:
            found.append(Word(events, True))
        following = side.next_events(state)
        if following and len(events) == _EVENTS:
            found.append(Word(events, False))
            continue
        queue += [((*events, group[0]), side.advance(state, label)) for label, group in following.items()]
    return found, False


def shown(word: Word, module: ir.Module) -> str:
    """A word as text; events in the function's own file have line numbers."""
    told = [spelled(event, module) for event in word.events]
    if not word.complete:
        told.append("...")
    return ", then ".join(told) if told else "no communication"


def spelled(event: Event, module: ir.Module) -> str:
    """Name and place of an event."""
    row = module.position(event.span[0])[0]
    call = _shortened(" ".join(module.source(event.span).partition("(")[0].split()))
    if event.opaque:
        return f"`{call}` (line {row}), whose communication is unknown"
    if not event.trail:
        return f"{event.title} (line {row})"
    return f"{event.title} in `{call}` (line {row}, {_last(event.trail[-1], module)})"


def _last(place: Place, module: ir.Module) -> str:
    row = place.module.position(place.span[0])[0]
    if place.module.path == module.path:
        return f"at line {row}"
    return f"at {place.module.path.replace(chr(92), '/').rpartition('/')[2]}:{row}"


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
