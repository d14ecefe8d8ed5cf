"""`threading`, `multiprocessing`, `concurrent.futures`, `asyncio`: what runs beside the program.

A function that cannot communicate is run where it is started; one that may communicate cuts the world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import calls
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.libraries.handlers import cut, ignored, ignored_method, pure, silent
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.reach import communicators_in
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import (
    BoundMethod,
    ClassValue,
    Cut,
    FunctionValue,
    Library,
    Method,
    ModuleValue,
    Partial,
    Running,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_DEPTH = 5


def may_communicate(function: Value, args: tuple[Value, ...] = (), depth: int = MAX_DEPTH) -> bool:
    """Whether a function could reach a communicator: by its arguments, its names or the functions it calls."""
    if communicators_in([function, *args]):
        return True
    if isinstance(function, (BoundMethod, Partial)):
        return depth > 0 and may_communicate(function.function, (), depth - 1)
    if not isinstance(function, FunctionValue):
        return not isinstance(function, (Library, Method))
    if depth == 0:
        return True
    names = {part.id for call in function.ir.calls() for part in ir.walk(call) if isinstance(part, ir.Name)}
    scope = function.scope
    found = [scope.names.get(name, scope.module.scope.names.get(name)) for name in names]
    return any(_communicates(value, depth) for value in found)


def _communicates(value: Value, depth: int) -> bool:
    """Whether a value is one by which a function communicates: a communicator, an object or module that holds one."""
    if isinstance(value, FunctionValue):
        return may_communicate(value, (), depth - 1)
    if isinstance(value, Library):
        return value.dotted.startswith(("mpi4py", "mpi4jax", "jax"))
    return isinstance(value, (Communicator, ModuleValue, ClassValue)) or bool(communicators_in([value]))


def _run(rank: Rank, function: Value, args: tuple[Value, ...], keywords: Any, what: str) -> Running:
    if may_communicate(function, (*args, *keywords.values())):
        raise Cut(f"a {what} of the program")
    return (yield from calls.call(rank, function, args, keywords, rank.state["span"]))


class Task(Modelled):
    """A thread or process: the function and its arguments; a future: its result."""

    __slots__ = ("args", "function", "keywords", "result", "what")
    type_name = "task"

    def __init__(self, what: str, function: Value, args: Value, keywords: Value, result: Value = None) -> None:
        self.what = what
        self.function = function
        self.args = args if isinstance(args, tuple) else tuple(args) if isinstance(args, list) else ()
        self.keywords: dict[str, Value] = keywords if isinstance(keywords, dict) else {}
        self.result = result

    def freeze(self, depth: int) -> object:
        """The function and its arguments."""
        return self.what, freeze(self.function, depth), freeze(self.args, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods; fields belong to the process."""
        if name in ("pid", "ident", "name", "exitcode", "native_id", "daemon"):
            return rank.own("machine", "task", name)
        return Method(self, name)


def _task(what: str) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        named = arguments.keywords
        return Task(what, named.get("target", arguments.get(1)), named.get("args", ()), named.get("kwargs", {}))

    return call


def _timer(rank: Rank, arguments: Arguments) -> Value:
    return Task("thread", arguments.get(1, "function"), arguments.get(2, "args", ()), arguments.get(3, "kwargs", {}))


def _start(rank: Rank, task: Task, arguments: Arguments) -> Running:
    if task.function is None:
        return None
    if task.what == "process":
        if may_communicate(task.function, (*task.args, *task.keywords.values())):
            raise Cut("a process of the program")
        return None
    task.result = yield from _run(rank, task.function, task.args, task.keywords, task.what)
    return None


class Pool(Modelled):
    """A pool of threads or processes."""

    __slots__ = ()
    type_name = "pool"

    def freeze(self, _depth: int) -> object:
        """Pools have no state."""
        return ("pool",)


def _pool(rank: Rank, arguments: Arguments) -> Value:
    return Pool()


def _map(as_rows: bool, is_future: bool = False) -> Callable[..., Any]:
    def call(rank: Rank, pool: Pool, arguments: Arguments) -> Running:
        items = yield from elements(rank, arguments.get(1))
        found: list[Value] = []
        for item in items:
            args = tuple((yield from elements(rank, item))) if as_rows else (item,)
            found.append((yield from _run(rank, arguments.get(0), args, {}, "process")))
        results = GuessedList(found) if isinstance(items, GuessedList) else found
        return Task("future", arguments.get(0), (), {}, results) if is_future else results

    return call


def _submit(rank: Rank, pool: Pool, arguments: Arguments) -> Running:
    keywords = dict(arguments.keywords)
    result = yield from _run(rank, arguments.get(0), arguments.values[1:], keywords, "process")
    return Task("future", arguments.get(0), arguments.values[1:], keywords, result)


def _apply(is_future: bool) -> Callable[..., Any]:
    def call(rank: Rank, pool: Pool, arguments: Arguments) -> Running:
        args, keywords = arguments.get(1, "args", ()), arguments.get(2, "kwds", {})
        args = tuple(args) if isinstance(args, (list, tuple)) else ()
        keywords = keywords if isinstance(keywords, dict) else {}
        result = yield from _run(rank, arguments.get(0), args, keywords, "process")
        return Task("future", arguments.get(0), args, keywords, result) if is_future else result

    return call


def _completed(rank: Rank, arguments: Arguments) -> Running:
    return (yield from elements(rank, arguments.get(0)))


class Queue(Modelled):
    """A queue: what other processes put into it is not known."""

    __slots__ = ("items", "newest_first")
    type_name = "queue"

    def __init__(self, newest_first: bool = False) -> None:
        self.items: list[Value] = []
        self.newest_first = newest_first

    def freeze(self, depth: int) -> object:
        """The items."""
        return "queue", freeze(self.items, depth)


def _put(rank: Rank, queue: Queue, arguments: Arguments) -> Value:
    queue.items.append(arguments.get(0))


def _get(rank: Rank, queue: Queue, arguments: Arguments) -> Value:
    if not queue.items:
        return rank.own("received", "queue")
    return queue.items.pop(-1 if queue.newest_first else 0)


def _event(rank: Rank, arguments: Arguments) -> Value:
    return rank.own("received", "threading.Event", kind="event")


_ASYNCHRONOUS = (
    "run", "get_event_loop", "new_event_loop", "gather", "create_task", "wait", "wait_for", "run_coroutine_threadsafe"
)  # fmt: skip

FUNCTIONS: dict[str, Any] = {
    "threading.Thread": _task("thread"),
    "threading.Timer": _timer,
    "multiprocessing.Process": _task("process"),
    "multiprocessing.Pool": _pool,
    "multiprocessing.pool.Pool": _pool,
    "multiprocessing.pool.ThreadPool": _pool,
    "multiprocessing.dummy.Pool": _pool,
    "concurrent.futures.ThreadPoolExecutor": _pool,
    "concurrent.futures.ProcessPoolExecutor": _pool,
    "concurrent.futures.as_completed": _completed,
    "concurrent.futures.wait": cut("futures that are waited for"),
    "multiprocessing.set_start_method": ignored,
    "multiprocessing.freeze_support": ignored,
    "multiprocessing.get_context": pure("multiprocessing.get_context"),
    **{f"queue.{name}": lambda rank, arguments: Queue() for name in ("Queue", "SimpleQueue")},
    "queue.LifoQueue": lambda rank, arguments: Queue(True),
    "threading.Event": _event,
    "threading.Condition": silent("lock"),
    "threading.Barrier": cut("threads of the program"),
    **{f"asyncio.{name}": cut("asynchronous code") for name in _ASYNCHRONOUS},
    "os.fork": cut("a process of the program"),
}  # fmt: skip
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "task": {
        "start": _start,
        "run": _start,
        "result": lambda rank, task, arguments: task.result,
        "get": lambda rank, task, arguments: task.result,
        "done": lambda rank, task, arguments: True,
        "ready": lambda rank, task, arguments: True,
        "successful": lambda rank, task, arguments: True,
        "exception": ignored_method,
        "is_alive": lambda rank, task, arguments: rank.own("machine", "is_alive", kind="bool"),
        "*": ignored_method,
    },
    "pool": {
        "map": _map(False),
        "starmap": _map(True),
        "imap": _map(False),
        "imap_unordered": _map(False),
        "map_async": _map(False, is_future=True),
        "starmap_async": _map(True, is_future=True),
        "apply": _apply(False),
        "apply_async": _apply(True),
        "submit": _submit,
        "__enter__": lambda rank, pool: pool,
        "__exit__": lambda rank, pool: None,
        "*": ignored_method,
    },
    "queue": {
        "put": _put,
        "put_nowait": _put,
        "get": _get,
        "get_nowait": _get,
        "empty": lambda rank, queue, arguments: not queue.items,
        "qsize": lambda rank, queue, arguments: len(queue.items),
        "*": ignored_method,
    },
}
