"""Point-to-point methods of communicators, and requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import buffers, requests
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import MAX_TAG, UNKNOWN_TAG, Communicator, Request, Status
from jaxmpi_lint.interpreter.events import Receive, Send, Wait
from jaxmpi_lint.interpreter.libraries.mpi_arguments import (
    PROC_NULL,
    check_buffer,
    check_contiguous,
    check_picklable,
    check_usable,
    integer,
    is_known,
    message_buffer,
    peer,
    stop,
)
from jaxmpi_lint.interpreter.libraries.received_copies import check_kept
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

ANY = -1


def _send(name: str) -> Handler:
    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        event = make_send(rank, communicator, name, arguments)
        if event is None:
            return Request(None, is_done=True) if "i" in name.lower()[:1] else None
        yield event
        return requests.track(rank, event.request) if event.request is not None else None

    return call


def make_send(
    rank: Rank, communicator: Communicator, name: str, arguments: Arguments, first: int = 0, shown: str = ""
) -> Send | None:
    """The event of a send; None on a communicator of unknown members. ``shown`` is the name in messages."""
    is_object = name[0].islower()
    payload = arguments.get(first, "obj" if is_object else "buf")
    event = Send(rank.place(rank.state["span"]), shown or name, communicator, 0, 0, payload, is_object=is_object)
    check_usable(rank, communicator, event)
    if not is_known(communicator):
        return None
    used: Value = payload
    if not is_object:
        given = message_buffer(payload)
        event.payload, event.count, event.dtype = given.array, given.count, given.dtype
        used = event.used = given.used()
    event.dest = peer(rank, communicator, arguments.get(first + 1, "dest"), event)
    if is_object and event.dest != PROC_NULL:
        check_picklable(rank, payload, event)
    elif event.dest != PROC_NULL:
        check_buffer(rank, payload, event)
        check_contiguous(rank, event.payload, event)
    event.tag = message_tag(rank, arguments.get(first + 2, "tag", 0), event)
    event.blocks = "bsend" not in name.lower()
    event.is_synchronous = "ssend" in name.lower()
    if name.lower().startswith("i"):
        event.request = Request(event, buffers=[(used, False)] if not is_object and used is not None else [])
    else:
        buffers.read(rank, (used,))
    return event


def message_tag(rank: Rank, value: Value, event: Any) -> int:
    """The tag of a message; one that is not known has a number that is equal wherever it is computed alike."""
    if isinstance(value, Symbol) and not value.own:
        return UNKNOWN_TAG + value.number
    tag = integer(value, "tag")
    if tag < (ANY if isinstance(event, Receive) else 0) or tag > MAX_TAG:
        stop(rank, Fault(Kind.INVALID_TAG, event, rank.number, detail=str(tag)))
    return tag


def _receive(name: str) -> Handler:
    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        event = make_receive(rank, communicator, name, arguments)
        if event is None:
            return rank.symbol("received", communicator, rank.state["span"])
        if event.request is not None:
            yield event
            return requests.track(rank, event.request)
        return (yield event)

    return call


def make_receive(
    rank: Rank, communicator: Communicator, name: str, arguments: Arguments, shown: str = ""
) -> Receive | None:
    """The event of a receive; None on a communicator of unknown members. ``shown`` is the name in messages."""
    is_object = name[0].islower()
    event = Receive(rank.place(rank.state["span"]), shown or name, communicator, ANY, ANY, is_object=is_object)
    check_usable(rank, communicator, event)
    if not is_known(communicator):
        return None
    event.may_be_raw = name == "irecv" and isinstance(arguments.get(0, "buf"), (Array, Symbol))
    used: Array | None = None
    if not is_object:
        given = message_buffer(arguments.get(0, "buf"))
        used = event.used = given.used()
        event.buffer, event.count, event.dtype = given.array, given.count, given.dtype
    event.source = peer(rank, communicator, arguments.get(1, "source", ANY), event)
    if event.source != PROC_NULL:
        if not is_object:
            check_buffer(rank, arguments.get(0, "buf"), event)
        check_contiguous(rank, event.buffer, event)
        check_kept(rank, event.buffer, event)
    event.tag = message_tag(rank, arguments.get(2, "tag", ANY), event)
    event.status = arguments.get(3, "status")
    if name.lower().startswith("i"):
        event.status = Status()
        event.request = Request(event, buffers=[(used, True)] if used is not None else [])
    elif used is not None:
        buffers.write(rank, used)
    return event


def _exchange(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    """``sendrecv`` and ``Sendrecv``: both at once, so that order does not matter."""
    names = ("sendobj", "dest", "sendtag", "recvbuf", "source", "recvtag", "status")
    return (yield from exchange(rank, communicator, _named(arguments, names), "sendrecv"))


def _exchange_buffers(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    names = ("sendbuf", "dest", "sendtag", "recvbuf", "source", "recvtag", "status")
    return (yield from exchange(rank, communicator, _named(arguments, names), "Sendrecv"))


def _replace(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    given = _named(arguments, ("buf", "dest", "sendtag", "source", "recvtag", "status"))
    whole = [given[0], given[1], given[2], given[0], *given[3:]]
    return (yield from exchange(rank, communicator, whole, "Sendrecv"))


def _named(arguments: Arguments, names: tuple[str, ...]) -> list[Value]:
    defaults: dict[str, Value] = {"sendtag": 0, "source": ANY, "recvtag": ANY}
    return [arguments.get(at, name, defaults.get(name)) for at, name in enumerate(names)]


def exchange(rank: Rank, communicator: Communicator, given: list[Value], label: str, shown: str = "") -> Running:
    """Send and receive at once; the result is the object that comes. ``shown`` is the name in messages."""
    payload, dest, send_tag, target, source, receive_tag, status = given
    prefix = "i" if label[0].islower() else "I"
    name = shown or label
    taken, sent = Arguments((target, source, receive_tag, status), {}), Arguments((payload, dest, send_tag), {})
    receive = make_receive(rank, communicator, f"{prefix}recv", taken, name)
    send = make_send(rank, communicator, f"{prefix}send", sent, shown=name)
    if receive is None or send is None:
        return rank.symbol("received", communicator, rank.state["span"])
    for used, _ in receive.request.buffers:
        buffers.write(rank, used)
    buffers.read(rank, [used for used, _ in send.request.buffers] or (send.payload,))
    yield receive
    yield send
    yield Wait(receive.place, name, [receive.request, send.request])
    return receive.request.value


_SENDS = ("send", "isend", "ssend", "issend", "bsend", "ibsend", "Send", "Isend", "Ssend", "Issend", "Bsend", "Ibsend")
_RECEIVES = ("recv", "irecv", "Recv", "Irecv")

METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        **{name: _send(name) for name in (*_SENDS, "Rsend", "Irsend")},
        **{name: _receive(name) for name in _RECEIVES},
        "sendrecv": _exchange,
        "Sendrecv": _exchange_buffers,
        "Sendrecv_replace": _replace,
    },
}
