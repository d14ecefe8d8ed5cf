"""Requests: their start and completion, and those that a program forgets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import buffers
from jaxmpi_lint.interpreter.communicators import Request
from jaxmpi_lint.interpreter.events import Event, Receive, Send
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

PROC_NULL = -2


def track(rank: Rank, request: Request) -> Request:
    """Remember a request that is started until it is completed, with the memory that it uses."""
    known = rank.state.setdefault("requests", [])
    if request not in known:
        known.append(request)
    if not _is_void(request.event):
        request.uses = [buffers.begin(rank, array, writes, request.event) for array, writes in request.buffers]
    return request


def finish(request: Request, is_completed: bool = True) -> None:
    """The program completes a request: it has seen that the operation is over, or gives it up."""
    if is_completed:
        for use in request.uses:
            use.end()
        request.uses = []
    request.is_waited = True
    if request.is_persistent:
        request.is_active = False


def started(request: Request, event: Event) -> Any:
    """The event of a start of a persistent request."""
    request.is_active, request.is_done, request.is_waited = True, False, False
    request.starts += 1
    assert isinstance(request.event, (Send, Receive))
    return replace(request.event, place=event.place, label=event.label, request=request)


def _is_void(event: Any) -> bool:
    """Whether nothing happens: a message to or from nobody."""
    return (isinstance(event, Send) and event.dest == PROC_NULL) or (
        isinstance(event, Receive) and event.source == PROC_NULL
    )


def misused(world: World) -> Fault | None:
    """A persistent request that the program waits for but starts nowhere."""
    if world.is_bounded or world.opaque:
        return None
    for process in world.processes:
        for request in process.rank.state.get("persistent", ()):
            if request.waited_at is not None and not request.starts and not process.has_failed:
                detail = f"the persistent request of `{request.event.label}` is never started"
                return Fault(Kind.REQUEST_STATE, request.waited_at, process.rank.number, detail=detail)
    return None


def left(world: World) -> Fault | None:
    """A request that a rank has not completed at its end.

    Requests of frames in which passes of a loop are left out could have been completed in one of those.
    """
    if world.is_bounded:
        return None
    found: list[Fault] = []
    for process in world.processes:
        if process.has_failed:
            continue
        for request in process.rank.state.get("requests", ()):
            event = request.event
            if not request.is_pending or request.is_waited or _is_void(event):
                continue
            if not world.sampled_frames.intersection(event.place.paths):
                found.append(Fault(Kind.REQUEST, event, process.rank.number))
    return found[0] if found else None


def completed_in(world: World) -> set[object]:
    """The calls whose requests a world completes, as far as it goes."""
    every = [one for process in world.processes for one in process.rank.state.get("requests", ())]
    is_over = all(process.is_over for process in world.processes)
    open_ = {place_of(one.event) for one in every if is_over and one.is_pending and not one.is_waited}
    return {place_of(one.event) for one in every if one.is_waited} - open_


def place_of(event: Event) -> object:
    """The call, whatever led to it."""
    return event.place.module.path, event.place.span
