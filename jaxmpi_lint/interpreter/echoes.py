"""Parts of an array that a rank sends back to the rank from which it has received them, as they arrived.

In an exchange of borders the sender then has mistaken the ghost cells for its own border: ``u[-1]`` for ``u[-2]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array, Store
from jaxmpi_lint.interpreter.events import Receive, Send
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_ARRIVED, _SENT = "parts that have arrived", "parts that are sent"


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part that a rank sends, and whether the receiver has sent it before; of a part of the same memory."""

    store: Store
    region: object
    event: Send
    receiver: int
    is_echo: bool


def arrived(world: World, number: int, event: Receive, sender: int) -> None:
    """Keep what a rank has received in a part of an array."""
    region = _region(event.buffer)
    if region is not None:
        known = world.notes.setdefault((_ARRIVED, number), {})
        known[id(event.buffer.store), region] = event.buffer.store, sender, _content(event.buffer)


def sent(world: World, number: int, event: Send, receiver: int) -> None:
    """Compare a part that a rank sends with what it has received there."""
    region = None if event.is_object else _region(event.payload)
    if region is not None:
        store = event.payload.store
        held = world.notes.get((_ARRIVED, number), {}).get((id(store), region))
        is_echo = held is not None and held[1] == receiver and held[2] == _content(event.payload)
        parts = world.notes.setdefault((_SENT, number), {}).setdefault((event.place.module.path, event.place.span), [])
        parts.append(_Part(store, region, event, receiver, is_echo))


def fault(world: World) -> Fault | None:
    """The first call that sends nothing but such parts, beside one that sends other parts of the same array."""
    for process in world.processes:
        places: dict[object, list[_Part]] = world.notes.get((_SENT, process.rank.number), {})
        others = {id(part.store) for parts in places.values() for part in parts if not part.is_echo}
        for parts in places.values():
            if all(part.is_echo and id(part.store) in others for part in parts):
                first = parts[0]
                detail = f"rank {process.rank.number} has received it from rank {first.receiver} and not changed it"
                return Fault(Kind.ECHO, first.event, process.rank.number, first.receiver, detail=detail)
    return None


def _content(array: Array) -> object:
    """The elements; for a range of a memory for which one symbol stands, the last change of the range."""
    store = array.store
    if array.cells is None and array.span in store.parts and store.symbol is store.combined:
        return freeze(store.parts[array.span])
    return freeze(array)


def _region(array: object) -> object | None:
    """Which elements of its memory an array is; None for all of them, and for those that are not known."""
    if not isinstance(array, Array) or array.is_guessed or array.is_some or array.is_selected or array.size == 0:
        return None
    if array.indices is not None:
        return None if len(array.indices) == array.store.size else tuple(array.indices)
    if array.span is not None:
        return None if array.span == (0, array.store.size) else array.span
    return None if array.selection is None or array.selection is array.store.origin else freeze(array.selection)
