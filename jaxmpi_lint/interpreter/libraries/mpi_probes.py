"""Probes for messages, messages that a probe takes, and the fields of a status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import dtypes, messages, requests
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator, Request, Status
from jaxmpi_lint.interpreter.events import Poll, Probe
from jaxmpi_lint.interpreter.libraries.mpi_arguments import (
    DATATYPES,
    check_usable,
    is_known,
    message_buffer,
    peer,
    stop,
)
from jaxmpi_lint.interpreter.libraries.mpi_messages import ANY, message_tag
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


@dataclass(slots=True, eq=False)
class Taken(Modelled):
    """`MPI.Message`: a message that a probe has taken."""

    message: messages.Message
    type_name = "message"

    def freeze(self, _depth: int) -> object:
        """Source and tag."""
        return "message", self.message.source, self.message.event.tag


def _probe(name: str) -> Handler:
    takes = "mprobe" in name.lower()

    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        event = _make(rank, communicator, name, arguments)
        message = yield event
        if not takes:
            return True
        if message is None:
            raise Cut("a message without a sender")
        return Taken(message)

    return call


def _probe_now(name: str) -> Handler:
    takes = "improbe" in name.lower()

    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        event = _make(rank, communicator, name, arguments)
        world = rank.world
        if messages.visible(world, rank.number, event) is None:
            yield Poll(event.place, name, lambda: messages.visible(world, rank.number, event) is not None)
        found = messages.visible(world, rank.number, event)
        if found is None:
            return None if takes else False
        messages.fill_status(event.status, found.source, found.event)
        if not takes:
            return True
        messages.take(world, rank.number, found)
        return Taken(found)

    return call


def _make(rank: Rank, communicator: Communicator, name: str, arguments: Arguments) -> Probe:
    event = Probe(rank.place(rank.state["span"]), name, communicator, ANY, ANY, takes="mprobe" in name.lower())
    check_usable(rank, communicator, event)
    if not is_known(communicator):
        raise Cut("a probe on an unknown communicator")
    event.source = peer(rank, communicator, arguments.get(0, "source", ANY), event)
    event.tag = message_tag(rank, arguments.get(1, "tag", ANY), event)
    event.status = arguments.get(2, "status")
    return event


def _receive(name: str) -> Handler:
    def call(rank: Rank, taken: Taken, arguments: Arguments) -> Value:
        message = taken.message
        event = Probe(rank.place(rank.state["span"]), name, message.event.communicator, message.source, ANY)
        event.is_object = name.islower()
        used: Array | None = None
        if not event.is_object:
            given = message_buffer(arguments.get(0, "buf"))
            used = event.used = given.used()
            event.buffer, event.count, event.dtype = given.array, given.count, given.dtype
        event.request = Request(event, buffers=[] if used is None else [(used, True)])
        fault = messages.check(rank.number, event, message)
        if fault is not None:
            stop(rank, fault)
        event.status = arguments.get(1, "status")
        messages.finish_receive(rank.world, rank.number, event, message)
        if name.lower().startswith("i"):
            return requests.track(rank, event.request)
        return event.request.value if event.is_object else None

    return call


def _unknown_count(rank: Rank, status: Status) -> Value:
    if status.unknown is None:
        status.unknown = rank.own("received", "count", kind="int")
    return status.unknown


def _count(rank: Rank, status: Status, arguments: Arguments) -> Value:
    """The number of elements of a datatype, by default bytes."""
    datatype = arguments.get(0, "datatype")
    name = datatype.dotted.rpartition(".")[2] if isinstance(datatype, Library) else "BYTE" if datatype is None else ""
    if status.count is None or not status.dtype:
        return _unknown_count(rank, status)
    if name == "BYTE" and status.dtype in dtypes.SIZES:
        return status.count * dtypes.SIZES[status.dtype]
    return status.count if DATATYPES.get(name) == status.dtype else _unknown_count(rank, status)


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        **{name: _probe(name) for name in ("probe", "Probe", "mprobe", "Mprobe")},
        **{name: _probe_now(name) for name in ("iprobe", "Iprobe", "improbe", "Improbe")},
    },
    "message": {name: _receive(name) for name in ("recv", "irecv", "Recv", "Irecv")},
    "status": {
        "Get_source": lambda rank, status, arguments: status.source,
        "Get_tag": lambda rank, status, arguments: status.attribute(rank, "tag"),
        "Get_error": lambda rank, status, arguments: 0,
        "Get_count": _count,
        "Get_elements": _count,
        "Is_cancelled": lambda rank, status, arguments: status.is_cancelled,
    },
}
FUNCTIONS: dict[str, Handler] = {"mpi4py.MPI.Status": lambda rank, arguments: Status()}
