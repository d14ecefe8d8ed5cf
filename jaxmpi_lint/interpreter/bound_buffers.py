"""Persistent requests whose array the program has exchanged for another one.

A persistent request keeps the buffer that it was made with (MPI 4.1, section 3.9). A program that exchanges the names
of two arrays after each step computes with the other array in every second step, and the request moves what is old.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array, Store
from jaxmpi_lint.interpreter.events import Access
from jaxmpi_lint.interpreter.values import Instance
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.communicators import Request
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND = "exchanged buffer"
_Names = dict[str, Any]


def started(rank: Rank, request: Request, event: Access) -> None:
    """Look whether a name that held the array of a request at its first start holds another one now."""
    store = next((array.store for array, _ in request.buffers if isinstance(array, Array)), None)
    if store is None or _FOUND in rank.world.notes:
        return
    if request.holders is None:
        request.holders = [(names, name, dict(names)) for names in _namespaces(rank) for name in _holding(names, store)]
        return
    for names, name, before in request.holders:
        now = names.get(name)
        if _is_exchanged(store, now, names, before) and not _has_request(rank, now.store):
            detail = f"the request keeps the array that `{name}` is when it is made; later `{name}` is a different one"
            start = (event.place.module, event.place.span, f"`{name}` is a different array when it is started here")
            made = request.event or event
            rank.world.notes[_FOUND] = Fault(Kind.BOUND_BUFFER, made, rank.number, detail=detail, origins=(start,))
            return


def fault(world: World) -> Fault | None:
    """The first start that `started` has recorded."""
    found: Fault | None = world.notes.get(_FOUND)
    return found


def _namespaces(rank: Rank) -> Iterator[_Names]:
    """The variables of the running functions, and the fields of the objects in them."""
    seen: set[int] = set()
    for frame in rank.frames:
        for names in (frame.scope.names, *(one.fields for one in frame.scope.names.values() if type(one) is Instance)):
            if id(names) not in seen:
                seen.add(id(names))
                yield names


def _holding(names: _Names, store: Store) -> list[str]:
    return [name for name, value in names.items() if isinstance(value, Array) and value.store is store]


def _is_exchanged(store: Store, now: object, names: _Names, before: _Names) -> bool:
    """Whether a name has the array of another one, which has that of the request or is one of the same shape."""
    if not isinstance(now, Array) or now.store is store:
        return False
    others = [name for name, value in before.items() if isinstance(value, Array) and value.store is now.store]
    return any(isinstance(names.get(name), Array) and names[name].store is not now.store for name in others)


def _has_request(rank: Rank, store: Store) -> bool:
    """Whether a persistent request moves an array."""
    requests: list[Request] = rank.state.get("persistent", [])
    return any(
        isinstance(array, Array) and array.store is store
        for one in requests
        if one.is_persistent
        for array, _ in one.buffers
    )
