"""Operations of mpi4jax: on arrays, with the default communicator or a given one, with tokens or without."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import agreed, results
from jaxmpi_lint.interpreter.arrays import Array, of_cells, of_symbol
from jaxmpi_lint.interpreter.communicators import Communicator, Request
from jaxmpi_lint.interpreter.events import Collective, Receive, Send, Wait
from jaxmpi_lint.interpreter.libraries.jax_values import as_jax
from jaxmpi_lint.interpreter.libraries.mpi_arguments import check_usable, integer, is_known, peer
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

Present = dict[int, Collective]
ANY = -1
_SUM = Library("mpi4py.MPI.SUM")

# Positions of reduction and root, and the name of MPI's operation.
_COLLECTIVES: dict[str, tuple[str, int, int]] = {
    "allreduce": ("Allreduce", 1, -1),
    "reduce": ("Reduce", 1, 2),
    "bcast": ("Bcast", -1, 1),
    "gather": ("Gather", -1, 1),
    "allgather": ("Allgather", -1, -1),
    "scatter": ("Scatter", -1, 1),
    "alltoall": ("Alltoall", -1, -1),
    "scan": ("Scan", 1, -1),
    "barrier": ("Barrier", -1, -1),
}


def communicator(rank: Rank, arguments: Arguments) -> Communicator | None:
    """The communicator of a call: by default a clone of COMM_WORLD that mpi4jax makes; None if it is not known."""
    given = arguments.keywords.get("comm")
    if given is None:
        found = rank.state.get("mpi4jax")
        if found is None:
            identity = rank.world.communicator("mpi4jax")
            members = tuple(range(rank.world.size))
            found = rank.state["mpi4jax"] = Communicator(identity, "mpi4jax's communicator", members, rank.number)
        return found
    return given if isinstance(given, Communicator) else None


def _has_token(rank: Rank, arguments: Arguments) -> bool:
    """Whether the call returns a token too: one is given, or the result is bound to two names."""
    if "token" in arguments.keywords:
        return True
    span, frame = rank.state["span"], rank.frames[-1]
    for step in frame.function.blocks[frame.block].steps:
        if isinstance(step, ir.Assign) and step.value is not None and step.value.span == span:
            target = step.targets[0]
            return isinstance(target, ir.Collection) and len(target.elements) == 2
    return False


def _with_token(rank: Rank, arguments: Arguments, has_token: bool, result: Value) -> Value:
    if not has_token:
        return result
    token = rank.symbol("token", kind="token")
    return token if result is None else (result, token)


def _unknown(rank: Rank, name: str, arguments: Arguments, has_token: bool) -> Value:
    """A call on a communicator whose members are not known."""
    result = rank.symbol("received", name, *arguments.every(), own=("received",), is_guess=True)
    return _with_token(rank, arguments, has_token, result)


def _collective(name: str) -> Handler:
    kind, operator_at, root_at = _COLLECTIVES[name]

    def call(rank: Rank, arguments: Arguments) -> Running:
        has_token = _has_token(rank, arguments)
        comm = communicator(rank, arguments)
        if comm is None or not is_known(comm):
            return _unknown(rank, name, arguments, has_token)
        payload = None if name == "barrier" else arguments.get(0, "x")
        event = Collective(rank.place(rank.state["span"]), name, comm, kind, payload)
        check_usable(rank, comm, event)
        event.operator = arguments.get(operator_at, "op", _SUM) if operator_at > 0 else None
        event.root = arguments.get(root_at, "root") if root_at > 0 else None
        if isinstance(payload, Array) and not payload.is_guessed:
            event.count, event.dtype = payload.size, payload.dtype or None
            _check_length(name, payload, event)
        event.extra["compute"] = _computed
        event.extra["hands back"] = name in ("reduce", "gather")
        result = yield event
        return _with_token(rank, arguments, has_token, None if name == "barrier" else result)

    return call


def _check_length(name: str, payload: Array, event: Collective) -> None:
    """mpi4jax raises ValueError if the first dimension is not the number of ranks."""
    divides = name == "alltoall" or (name == "scatter" and event.root == event.communicator.number)
    if divides and payload.shape is not None and payload.shape[:1] != (event.communicator.size,):
        raise fail("ValueError")


def _computed(world: World, present: Present) -> dict[int, Value]:
    """The results of one collective."""
    events = list(present.values())
    if any(event.extra.get("compute") is not _computed for event in events):
        raise Cut("calls of mpi4jax and mpi4py meet")
    if events[0].kind in ("Alltoall", "Scan"):
        return {number: _own(world, present, number) for number in present}
    handler = _HANDLERS.get(events[0].kind)
    if handler is None:
        return dict.fromkeys(present)
    value = handler(world, present)
    root = events[0].root
    found: dict[int, Value] = {}
    for index, (number, event) in enumerate(present.items()):
        mine = value[index] if isinstance(value, list) else value
        if events[0].kind in ("Reduce", "Gather") and index != root:
            mine = event.payload
        found[number] = as_jax(mine.copy()) if isinstance(mine, Array) else mine
    return found


def _own(world: World, present: Present, number: int) -> Value:
    event = present[number]
    symbol = world.symbols.make("share", event.kind, str(event.extra.get("slot")), number, own=("received",))
    if isinstance(event.payload, Array) and event.payload.shape is not None:
        return as_jax(of_symbol(symbol, event.payload.shape, event.payload.dtype))
    return symbol


def _reduced(world: World, present: Present) -> Value:
    payloads = [event.payload for event in present.values()]
    if all(isinstance(one, Array) for one in payloads):
        first, cells = payloads[0], [one.cells for one in payloads]
        if all(part is not None and len(part) == len(cells[0] or ()) for part in cells):
            columns = zip(*(part or () for part in cells), strict=True)
            return of_cells([results.reduced(world, present, list(c)) for c in columns], first.shape, first.dtype)
        return of_symbol(agreed.shared(world, present), first.shape, first.dtype)
    return results.reduced(world, present, payloads)


def _from_root(world: World, present: Present) -> Value:
    events = list(present.values())
    root = events[0].root
    return events[root].payload if isinstance(root, int) else agreed.shared(world, present)


def _scattered(world: World, present: Present) -> Value:
    events = list(present.values())
    payload = events[events[0].root].payload if isinstance(events[0].root, int) else None
    if not isinstance(payload, Array) or payload.shape is None or payload.cells is None:
        return [_share(world, present, number) for number in present]
    length = math.prod(payload.shape[1:])
    parts = [payload.cells[at * length : (at + 1) * length] for at in range(len(events))]
    return [of_cells(part, payload.shape[1:], payload.dtype) for part in parts]


def _share(world: World, present: Present, number: int) -> Symbol:
    event = present[number]
    return world.symbols.make("share", event.kind, str(event.extra.get("slot")), number, own=("received",))


def _gathered(world: World, present: Present) -> Value:
    payloads = [event.payload for event in present.values()]
    symbol = agreed.shared(world, present)
    if all(isinstance(one, (int, float)) for one in payloads):
        return of_cells(payloads, (len(payloads),), "")
    shape = payloads[0].shape if isinstance(payloads[0], Array) else None
    if shape is None or not all(isinstance(one, Array) and one.shape == shape for one in payloads):
        return symbol
    cells = [one.cells for one in payloads]
    if all(part is not None for part in cells):
        return of_cells([cell for part in cells for cell in part], (len(payloads), *shape), payloads[0].dtype)
    return of_symbol(symbol, (len(payloads), *shape), payloads[0].dtype)


_HANDLERS: dict[str, Callable[[Any, Present], Value]] = {
    "Allreduce": _reduced,
    "Reduce": _reduced,
    "Bcast": _from_root,
    "Scatter": _scattered,
    "Gather": _gathered,
    "Allgather": _gathered,
}


# --- messages ---


def _payload(event: Any, value: Value) -> Value:
    if isinstance(value, Array):
        event.count, event.dtype = None if value.is_guessed else value.size, value.dtype or None
    return value


def _make_send(rank: Rank, comm: Communicator, label: str, value: Value, dest: Value, tag: Value) -> Send:
    event = Send(rank.place(rank.state["span"]), label, comm, 0, integer(tag, "tag"), is_object=False)
    check_usable(rank, comm, event)
    event.payload = _payload(event, value)
    event.dest = peer(rank, comm, dest, event)
    return event


def _make_receive(rank: Rank, comm: Communicator, label: str, like: Value, source: Value, tag: Value) -> Receive:
    event = Receive(rank.place(rank.state["span"]), label, comm, ANY, integer(_any(tag), "tag"), is_object=False)
    check_usable(rank, comm, event)
    _payload(event, like)
    if isinstance(like, Array):
        event.buffer = like.copy()
    event.source = peer(rank, comm, _any(source), event)
    return event


def _any(value: Value) -> Value:
    is_any = isinstance(value, Library) and value.dotted.endswith(("ANY_SOURCE", "ANY_TAG"))
    return ANY if is_any else value


def _send(rank: Rank, arguments: Arguments) -> Running:
    has_token = "token" in arguments.keywords
    comm = communicator(rank, arguments)
    if comm is None or not is_known(comm):
        return None
    value, dest, tag = arguments.get(0, "x"), arguments.get(1, "dest"), arguments.get(2, "tag", 0)
    yield _make_send(rank, comm, "send", value, dest, tag)
    return _with_token(rank, arguments, has_token, None)


def _receive(rank: Rank, arguments: Arguments) -> Running:
    has_token = _has_token(rank, arguments)
    comm = communicator(rank, arguments)
    if comm is None or not is_known(comm):
        return _unknown(rank, "recv", arguments, has_token)
    like, source, tag = arguments.get(0, "x"), arguments.get(1, "source", ANY), arguments.get(2, "tag", ANY)
    event = _make_receive(rank, comm, "recv", like, source, tag)
    event.status = arguments.keywords.get("status")
    content = yield event
    return _with_token(rank, arguments, has_token, _received(event, content, like))


def _received(event: Receive, content: Value, like: Value) -> Value:
    """The array that arrived, in the shape of the template; the template itself from `MPI.PROC_NULL`."""
    if event.buffer is not None:
        return as_jax(event.buffer)
    return like if content is None else content


def _exchange(rank: Rank, arguments: Arguments) -> Running:
    has_token = _has_token(rank, arguments)
    comm = communicator(rank, arguments)
    if comm is None or not is_known(comm):
        return _unknown(rank, "sendrecv", arguments, has_token)
    names = ("sendbuf", "recvbuf", "source", "dest", "sendtag", "recvtag")
    payload, like, source, dest, send_tag, receive_tag = (arguments.get(at, name) for at, name in enumerate(names))
    receive = _make_receive(rank, comm, "sendrecv", like, source, ANY if receive_tag is None else receive_tag)
    send = _make_send(rank, comm, "sendrecv", payload, dest, 0 if send_tag is None else send_tag)
    receive.request, send.request = Request(receive), Request(send)
    yield receive
    yield send
    yield Wait(receive.place, "sendrecv", [receive.request, send.request])
    return _with_token(rank, arguments, has_token, _received(receive, receive.request.value, like))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: _collective(name) for name in _COLLECTIVES},
    "send": _send,
    "recv": _receive,
    "sendrecv": _exchange,
}
_MODULES = ("mpi4jax.", "mpi4jax.experimental.notoken.", "mpi4jax._src.collective_ops.")
FUNCTIONS: dict[str, Handler] = {
    f"{module}{name}": handler for module in _MODULES for name, handler in _OPERATIONS.items()
}
FUNCTIONS["mpi4jax.experimental.auto_tokenize"] = lambda rank, arguments: arguments.get(0, "f")
FUNCTIONS["mpi4jax.has_cuda_support"] = lambda rank, arguments: rank.symbol("cuda", kind="bool")
