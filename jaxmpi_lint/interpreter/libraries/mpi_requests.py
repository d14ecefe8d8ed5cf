"""Requests: completion, tests, and persistent requests."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import bound_buffers, requests
from jaxmpi_lint.interpreter.communicators import Communicator, Request, Status
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.events import Access, Poll, Receive, Send, Wait
from jaxmpi_lint.interpreter.libraries.mpi_messages import make_receive, make_send
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.values import Cut, Library, Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

UNDEFINED = -32766


def null(rank: Rank) -> Request:
    """MPI.REQUEST_NULL."""
    return Request(None, is_done=True, is_waited=True)


# --- waits ---


def _wait(rank: Rank, request: Request, arguments: Arguments) -> Running:
    yield from _wait_for(rank, "wait", [request])
    return _completed(request, arguments.get(0, "status"))


def _wait_upper(rank: Rank, request: Request, arguments: Arguments) -> Running:
    yield from _wait_for(rank, "Wait", [request])
    _completed(request, arguments.get(0, "status"))
    return True


def _wait_for(rank: Rank, label: str, given: list[Request], needs_all: bool = True) -> Running:
    """Wait until all requests, or one of them, are done."""
    event = Wait(rank.place(rank.state["span"]), label, [one for one in given if one.is_pending], needs_all)
    for request in given:
        if request.is_persistent and not request.starts:
            request.waited_at = request.waited_at or event
    if event.requests:
        yield event


def _completed(request: Request, status: Value = None) -> Value:
    """What a completed request has received; its status is filled in."""
    event = request.event
    if isinstance(status, Status) and not request.is_null:
        if isinstance(event, Receive) and isinstance(event.status, Status):
            given = event.status
            status.source, status.tag, status.count, status.dtype = given.source, given.tag, given.count, given.dtype
        status.is_cancelled = request.is_cancelled
        status.unknown = None
    if request.is_null:
        return None
    requests.finish(request)
    return request.value


def _wait_all(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    yield from _wait_for(rank, "waitall", given)
    return _complete_all(given, arguments)


def _wait_all_upper(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    yield from _wait_for(rank, "Waitall", given)
    _complete_all(given, arguments)
    return True


def _complete_all(given: Iterable[Request], arguments: Arguments) -> list[Value]:
    statuses = arguments.get(1, "statuses")
    known = statuses if isinstance(statuses, list) else []
    return [_completed(one, known[at] if at < len(known) else None) for at, one in enumerate(given)]


def _requests(value: Value) -> list[Request]:
    """The requests of a list."""
    if isinstance(value, GuessedList) or not isinstance(value, (list, tuple)):
        raise Cut("unknown requests")
    return [_request(one) for one in value]


def _request(value: Value) -> Request:
    if isinstance(value, Request):
        return value
    if isinstance(value, Library) and value.dotted.endswith("REQUEST_NULL"):
        return Request(None, is_done=True, is_waited=True)
    raise Cut("unknown requests")


def _first_done(given: list[Request]) -> int | None:
    return next((at for at, one in enumerate(given) if one.is_pending and one.is_done), None)


def _wait_any(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    yield from _wait_for(rank, "waitany", given, needs_all=False)
    at = _first_done(given)
    return (UNDEFINED, None) if at is None else (at, _completed(given[at], arguments.get(1, "status")))


def _wait_any_upper(rank: Rank, arguments: Arguments) -> Running:
    index, _ = yield from _wait_any(rank, arguments)
    return index


def _wait_some(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    yield from _wait_for(rank, "waitsome", given, needs_all=False)
    return _some(given)


def _wait_some_upper(rank: Rank, arguments: Arguments) -> Running:
    indices, _ = yield from _wait_some(rank, arguments)
    return indices


def _some(given: list[Request]) -> tuple[list[int] | None, list[Value] | None]:
    """Those that are done, and what they received; None if no request is active."""
    if not any(one.is_pending for one in given):
        return None, None
    done = [at for at, one in enumerate(given) if one.is_pending and one.is_done]
    return done, [_completed(given[at]) for at in done]


# --- tests ---


def poll(rank: Rank, label: str, is_ready: Callable[[], bool]) -> Running:
    """Whether something has happened; if not, the other ranks go on first."""
    if not is_ready():
        yield Poll(rank.place(rank.state["span"]), label, is_ready)
    return is_ready()


def _is_over(request: Request) -> bool:
    return request.is_done or not request.is_pending


class Answer(tuple[Any, ...]):
    """What ``test`` returns: whether the operation is over, and the message. Such a pair is never false."""

    place: Any = None

    @classmethod
    def make(cls, rank: Rank, is_over: bool, message: Value) -> Answer:
        """The answer to the current call."""
        made = cls((is_over, message))
        made.place = rank.place(rank.state["span"])
        return made

    def truth(self, rank: Rank) -> bool:
        """A program that tests the pair as a whole takes the first answer for a message."""
        rank.world.report(Fault(Kind.ANSWER, Access(self.place, "test"), rank.number))
        return True


def _test(rank: Rank, request: Request, arguments: Arguments) -> Running:
    done = yield from poll(rank, "test", lambda: _is_over(request))
    return Answer.make(rank, done, _completed(request, arguments.get(0, "status")) if done else None)


def _test_upper(rank: Rank, request: Request, arguments: Arguments) -> Running:
    found = yield from _test(rank, request, arguments)
    return found[0]


def _get_status(rank: Rank, request: Request, arguments: Arguments) -> Running:
    """A test that leaves the request as it is."""
    return (yield from poll(rank, "Get_status", lambda: _is_over(request)))


def _test_all(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    done = yield from poll(rank, "testall", lambda: all(_is_over(one) for one in given))
    return (True, _complete_all(given, arguments)) if done else (False, None)


def _test_all_upper(rank: Rank, arguments: Arguments) -> Running:
    found = yield from _test_all(rank, arguments)
    return found[0]


def _test_any(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    if not any(one.is_pending for one in given):
        return UNDEFINED, True, None
    yield from poll(rank, "testany", lambda: _first_done(given) is not None)
    at = _first_done(given)
    return (UNDEFINED, False, None) if at is None else (at, True, _completed(given[at], arguments.get(1, "status")))


def _test_any_upper(rank: Rank, arguments: Arguments) -> Running:
    found = yield from _test_any(rank, arguments)
    return found[:2]


def _test_some(rank: Rank, arguments: Arguments) -> Running:
    given = _requests(arguments.get(0, "requests"))
    if any(one.is_pending for one in given):
        yield from poll(rank, "testsome", lambda: _first_done(given) is not None)
    return _some(given)


def _test_some_upper(rank: Rank, arguments: Arguments) -> Running:
    indices, _ = yield from _test_some(rank, arguments)
    return indices


# --- the end of a request without completion ---


def _cancel(rank: Rank, request: Request, arguments: Arguments) -> Value:
    """A receive that has no message yet is taken back; that of a send succeeds or does not."""
    if isinstance(request.event, Send):
        raise Cut("a send that is cancelled")
    posted = rank.world.mail.receives.get(rank.number, [])
    waiting = [one for one in posted if one.request is request]
    if waiting:
        posted.remove(waiting[0])
        request.is_done = request.is_cancelled = True
    return None


def _free(rank: Rank, request: Request, arguments: Arguments) -> Value:
    """The memory of an operation that goes on stays in use."""
    requests.finish(request, is_completed=request.is_done)
    request.is_persistent = False
    return None


# --- persistent requests ---


def _persistent_send(name: str) -> Handler:
    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
        return _persistent(rank, make_send(rank, communicator, f"I{name.lower()}", arguments), f"{name}_init")

    return call


def _persistent_receive(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    return _persistent(rank, make_receive(rank, communicator, "Irecv", arguments), "Recv_init")


def _persistent(rank: Rank, event: Any, label: str) -> Value:
    if event is None:
        return rank.symbol("request", label, rank.state["span"])
    event.label = label
    buffers = event.request.buffers
    made = Request(event, is_done=True, is_waited=True, is_persistent=True, is_active=False, buffers=buffers)
    rank.state.setdefault("persistent", []).append(made)
    return made


def _start(rank: Rank, request: Request, arguments: Arguments) -> Running:
    yield from _start_one(rank, request, "Start")


def _start_all(rank: Rank, arguments: Arguments) -> Running:
    for request in _requests(arguments.get(0, "requests")):
        yield from _start_one(rank, request, "Startall")


def _start_one(rank: Rank, request: Request, label: str) -> Running:
    event = Access(rank.place(rank.state["span"]), label)
    if not request.is_persistent:
        raise Cut("the start of a request that is not persistent")
    if request.is_active:
        detail = f"the persistent request of `{request.event.label}` is started again before it is completed"
        rank.world.report(Fault(Kind.REQUEST_STATE, event, rank.number, detail=detail))
        return None
    bound_buffers.started(rank, request, event)
    started = requests.started(request, event)
    requests.track(rank, request)
    yield started
    return None


def of_class(handler: Handler) -> Handler:
    """A function of a class that is called on an object."""

    def call(rank: Rank, owner: Any, arguments: Arguments) -> Running:
        return (yield from handler(rank, arguments))

    return call


_ALL: dict[str, Handler] = {
    "Waitall": _wait_all_upper,
    "waitall": _wait_all,
    "Waitany": _wait_any_upper,
    "waitany": _wait_any,
    "Waitsome": _wait_some_upper,
    "waitsome": _wait_some,
    "Testall": _test_all_upper,
    "testall": _test_all,
    "Testany": _test_any_upper,
    "testany": _test_any,
    "Testsome": _test_some_upper,
    "testsome": _test_some,
    "Startall": _start_all,
}
_INITS = ("Send", "Ssend", "Bsend", "Rsend")
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        **{f"{name}_init": _persistent_send(name) for name in _INITS},
        "Recv_init": _persistent_receive,
    },
    "request": {
        "wait": _wait,
        "Wait": _wait_upper,
        "test": _test,
        "Test": _test_upper,
        "get_status": _get_status,
        "Get_status": _get_status,
        "Cancel": _cancel,
        "cancel": _cancel,
        "Free": _free,
        "free": _free,
        "Start": _start,
        **{name: of_class(handler) for name, handler in _ALL.items()},
    },
}


def _unbound(name: str) -> Handler:
    """A method that is called on the class, with the request as the first argument: ``MPI.Request.Wait(request)``."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        request = _request(arguments.get(0, "self"))
        result = METHODS["request"][name](rank, request, Arguments(arguments.values[1:], arguments.keywords))
        return (yield from result) if isinstance(result, Generator) else result

    return call


FUNCTIONS: dict[str, Handler] = {
    **{
        f"mpi4py.MPI.{kind}.{name}": _unbound(name)
        for kind in ("Request", "Prequest")
        for name in METHODS["request"].keys() - _ALL.keys()
    },
    **{f"mpi4py.MPI.{kind}.{name}": handler for kind in ("Request", "Prequest") for name, handler in _ALL.items()},
    "mpi4py.MPI.Request": lambda rank, arguments: null(rank),
}
CONSTANTS: dict[str, Callable[[Any], Value]] = {"mpi4py.MPI.REQUEST_NULL": null}
