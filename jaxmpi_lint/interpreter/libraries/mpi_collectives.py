"""Collective methods of communicators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import buffers, requests
from jaxmpi_lint.interpreter.communicators import Communicator, Request
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.mpi_arguments import (
    Buffer,
    buffer,
    check_buffer,
    check_contiguous,
    check_operator,
    check_picklable,
    check_usable,
    is_known,
    rows_of,
)
from jaxmpi_lint.interpreter.libraries.received_copies import check_kept
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Running, Value
from jaxmpi_lint.interpreter.vector_counts import Layout, Side

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

SUM = Library("mpi4py.MPI.SUM")

# Positions of payload (or send buffer), receive buffer, operator and root, with the names of the arguments.
_LOWER: dict[str, tuple[tuple[str, int, str], ...]] = {
    "barrier": (),
    "bcast": (("payload", 0, "obj"), ("root", 1, "root")),
    "gather": (("payload", 0, "sendobj"), ("root", 1, "root")),
    "scatter": (("payload", 0, "sendobj"), ("root", 1, "root")),
    "allgather": (("payload", 0, "sendobj"),),
    "alltoall": (("payload", 0, "sendobj"),),
    "reduce": (("payload", 0, "sendobj"), ("operator", 1, "op"), ("root", 2, "root")),
    "allreduce": (("payload", 0, "sendobj"), ("operator", 1, "op")),
    "scan": (("payload", 0, "sendobj"), ("operator", 1, "op")),
    "exscan": (("payload", 0, "sendobj"), ("operator", 1, "op")),
}
_SEND_RECEIVE = (("send", 0, "sendbuf"), ("receive", 1, "recvbuf"))
_UPPER: dict[str, tuple[tuple[str, int, str], ...]] = {
    "Barrier": (),
    "Bcast": (("buffer", 0, "buf"), ("root", 1, "root")),
    "Gather": (*_SEND_RECEIVE, ("root", 2, "root")),
    "Gatherv": (*_SEND_RECEIVE, ("root", 2, "root")),
    "Scatter": (*_SEND_RECEIVE, ("root", 2, "root")),
    "Scatterv": (*_SEND_RECEIVE, ("root", 2, "root")),
    "Allgather": _SEND_RECEIVE,
    "Allgatherv": _SEND_RECEIVE,
    "Alltoall": _SEND_RECEIVE,
    "Alltoallv": _SEND_RECEIVE,
    "Alltoallw": _SEND_RECEIVE,
    "Reduce": (*_SEND_RECEIVE, ("operator", 2, "op"), ("root", 3, "root")),
    "Allreduce": (*_SEND_RECEIVE, ("operator", 2, "op")),
    "Reduce_scatter_block": (*_SEND_RECEIVE, ("operator", 2, "op")),
    "Reduce_scatter": (*_SEND_RECEIVE, ("counts", 2, "recvcounts"), ("operator", 3, "op")),
    "Scan": (*_SEND_RECEIVE, ("operator", 2, "op")),
    "Exscan": (*_SEND_RECEIVE, ("operator", 2, "op")),
}
_PARTED = {"Gather": ("receive",), "Allgather": ("receive",), "Scatter": ("send",), "Alltoall": ("send", "receive")}
"""The buffers that hold a part for each rank."""

_DEFAULTS: dict[str, Value] = {"operator": SUM, "root": 0}
_VECTOR = ("v", "w")
_FROM_ROOT = ("bcast", "scatter")


def _lower(name: str) -> Handler:
    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        given = {what: arguments.get(at, word, _DEFAULTS.get(what)) for what, at, word in _LOWER[name]}
        event = Collective(rank.place(rank.state["span"]), name, communicator, _kind(name), **given)
        if "operator" in given:
            check_operator(rank, event.operator, event, of_buffers=False)
        if name not in _FROM_ROOT or event.root == communicator.number:
            check_picklable(rank, event.payload, event)
        return (yield from enter(rank, event))

    return call


def _kind(name: str) -> str:
    """Barrier and barrier are one operation."""
    return "Barrier" if name == "barrier" else name


def enter(rank: Rank, event: Collective) -> Running:
    """Make a collective call; on a communicator of unknown members its result is a symbol."""
    check_usable(rank, event.communicator, event)
    if not is_known(event.communicator):
        rank.world.accesses.is_unknown = True
        return rank.symbol("collective", event.communicator, event.kind, event.place.span, kind="")
    return (yield event)


def _upper(name: str, blocks: bool) -> Handler:
    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
        label = name if blocks else f"I{name.lower()}"
        given = {what: arguments.get(at, word, _DEFAULTS.get(what)) for what, at, word in _UPPER[name]}
        event = Collective(rank.place(rank.state["span"]), label, communicator, label)
        event.operator, event.root = given.get("operator"), given.get("root")
        if "operator" in given:
            check_operator(rank, event.operator, event, of_buffers=True)
        uses = _fill_in(event, name, given)
        for what in _significant(event, name):
            check_buffer(rank, given.get(what), event)
        for array, writes in uses:
            check_contiguous(rank, array, event)
            check_kept(rank, array if writes else None, event)
        if blocks:
            _use(rank, uses)
            return (yield from enter(rank, event))
        check_usable(rank, communicator, event)
        request = Request(event, buffers=uses)
        event.extra["request"] = request
        if is_known(communicator):
            yield event
        return requests.track(rank, request)

    return call


def _fill_in(event: Collective, name: str, given: dict[str, Value]) -> list[Any]:
    """Buffers, counts and dtypes of an event; the arrays that the operation uses."""
    event.extra["missing"] = [what for what in ("buffer", "send", "receive") if what in given and given[what] is None]
    parts: dict[str, Buffer] = {what: buffer(given[what]) for what in ("buffer", "send", "receive") if what in given}
    event.extra["in_place"] = [what for what, part in parts.items() if part.is_in_place]
    for what, side in (("send", "sends"), ("receive", "takes")):
        if what in parts and not parts[what].is_in_place:
            count = _of_all(event, name, what, parts[what])
            layout = parts[what].layout
            if layout is None and name.endswith("v") and what in _PARTED[name[:-1]] and not parts[what].is_counted:
                count, layout = None, _divided(event, parts[what])
            event.extra[side] = Side(count, parts[what].dtype, layout, _rows(parts[what]))
    used = {what: part.used(_parts(event, name, what)) for what, part in parts.items()}
    for what, other in (("send", "receive"), ("receive", "send")):
        if what in parts and parts[what].is_in_place and other in parts:
            parts[what], used[what] = parts[other], used[other]
    for what, part in parts.items():
        event.extra[what] = part.array
    event.extra["used"] = used
    event.extra["counts"] = given.get("counts")
    event.extra["send counts"], event.extra["receive counts"] = given.get("send"), given.get("receive")
    unknown = given.get("send", given.get("buffer"))
    event.extra["unknown"] = unknown if isinstance(unknown, Symbol) else None
    main = parts.get("buffer") or parts.get("send")
    if main is not None:
        event.count, event.dtype = main.count, main.dtype
    event.extra["is_plain"] = not name.endswith(_VECTOR) and all(part.is_plain for part in parts.values())
    is_root = event.root is None or event.root == event.communicator.number
    significant = _significant(event, name)
    return [
        (used[what], what == "receive" or (what == "buffer" and not is_root))
        for what, part in parts.items()
        if part.array is not None and what not in event.extra["in_place"] and what in significant
    ]


def _significant(event: Collective, name: str) -> tuple[str, ...]:
    """The buffers that this rank sends or fills."""
    if event.root is None or event.root == event.communicator.number:
        return ("buffer", "send", "receive")
    return ("buffer", "receive") if name.startswith("Scatter") else ("buffer", "send")


def _divided(event: Collective, part: Buffer) -> Layout | None:
    """The parts of a buffer without counts, which mpi4py divides evenly between the ranks."""
    size = event.communicator.size
    if not part.count or not size or part.count % size:
        return None
    return Layout((part.count // size,) * size, None, part.count)


def _rows(part: Buffer) -> int | None:
    """The rows of an array of which no count is given."""
    is_whole = part.array is not None and part.is_plain and not part.is_counted
    return rows_of(part.array) if is_whole and part.array is not None and part.count == part.array.size else None


def _of_all(event: Collective, name: str, what: str, part: Buffer) -> int | None:
    """The number of elements of a buffer; a count that is given is that of the part for one rank, if it has parts."""
    parts = _parts(event, name, what) if part.is_counted else 1
    return None if parts is None or part.count is None else part.count * parts


def _parts(event: Collective, name: str, what: str) -> int | None:
    """The number of parts in a buffer, None if it is not known."""
    return event.communicator.size if what in _PARTED.get(name, ()) else 1


def _use(rank: Rank, uses: list[Any]) -> None:
    """A blocking call reads and writes its buffers at once."""
    for array, writes in uses:
        if writes:
            buffers.write(rank, array)
        else:
            buffers.read(rank, (array,))


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        **{name: _lower(name) for name in _LOWER},
        **{name: _upper(name, True) for name in _UPPER},
        **{f"I{name.lower()}": _upper(name, False) for name in _UPPER},
    }
}
