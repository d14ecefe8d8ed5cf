"""`contextlib`: context managers of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import calls
from jaxmpi_lint.interpreter.contexts import enter_value, exit_value
from jaxmpi_lint.interpreter.libraries.handlers import Silent, cut, silent
from jaxmpi_lint.interpreter.managed import Suppressing
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import BoundMethod, Cut, Instance, Method, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Holding(Modelled):
    """`contextlib.nullcontext` and `contextlib.closing`: the block gets ``value``."""

    __slots__ = ("closes", "value")
    type_name = "holding context"

    def __init__(self, value: Value, closes: bool) -> None:
        self.value = value
        self.closes = closes

    def freeze(self, depth: int) -> object:
        """The value."""
        return "holding", freeze(self.value, depth)


def _leave(rank: Rank, context: Holding) -> Running:
    value = context.value
    if context.closes and isinstance(value, Instance):
        yield from calls.call(rank, BoundMethod(value.cls.find("close"), value), (), {}, rank.state["span"])
    elif context.closes:
        yield from calls.call(rank, Method(value, "close"), (), {}, rank.state["span"])


class Stack(Modelled):
    """`contextlib.ExitStack`: what was entered, and what is to be called at the end."""

    __slots__ = ("entered",)
    type_name = "exit stack"

    def __init__(self) -> None:
        self.entered: list[tuple[Value, Arguments | None]] = []

    def freeze(self, _depth: int) -> object:
        """How much was entered."""
        return "exit stack", len(self.entered)


def _enter_context(rank: Rank, stack: Stack, arguments: Arguments) -> Running:
    value = arguments.get(0)
    bound = yield from enter_value(rank, value, rank.state["span"])
    stack.entered.append((value, None))
    return bound


def _callback(rank: Rank, stack: Stack, arguments: Arguments) -> Value:
    stack.entered.append((arguments.get(0), Arguments(arguments.values[1:], arguments.keywords)))
    return arguments.get(0)


def _push(rank: Rank, stack: Stack, arguments: Arguments) -> Value:
    value = arguments.get(0)
    is_manager = isinstance(value, (Instance, Modelled))
    stack.entered.append((value, None if is_manager else Arguments((None, None, None), {})))
    return value


def _pop_all(rank: Rank, stack: Stack, arguments: Arguments) -> Value:
    found = Stack()
    found.entered, stack.entered = stack.entered, []
    return found


def _unwind(rank: Rank, stack: Stack) -> Running:
    span = rank.state["span"]
    while stack.entered:
        value, given = stack.entered.pop()
        if given is None:
            yield from exit_value(rank, value, None, span)
        else:
            yield from calls.call(rank, value, given.values, given.keywords, span)


def _close(rank: Rank, stack: Stack, arguments: Arguments) -> Running:
    yield from _unwind(rank, stack)


def _redirected(rank: Rank, arguments: Arguments) -> Value:
    if getattr(arguments.get(0), "type_name", "") == "memory file":
        raise Cut("output that is redirected into memory")
    return Silent("redirection")


FUNCTIONS: dict[str, Any] = {
    "contextlib.suppress": lambda rank, arguments: Suppressing(arguments.values),
    "contextlib.nullcontext": lambda rank, arguments: Holding(arguments.get(0), False),
    "contextlib.closing": lambda rank, arguments: Holding(arguments.get(0), True),
    "contextlib.ExitStack": lambda rank, arguments: Stack(),
    "contextlib.redirect_stdout": _redirected,
    "contextlib.redirect_stderr": _redirected,
    "contextlib.AsyncExitStack": cut("asynchronous code"),
    "warnings.catch_warnings": silent("warnings"),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "holding context": {"__enter__": lambda rank, context: context.value, "__exit__": _leave},
    "exit stack": {
        "__enter__": lambda rank, stack: stack,
        "__exit__": _unwind,
        "enter_context": _enter_context,
        "callback": _callback,
        "push": _push,
        "pop_all": _pop_all,
        "close": _close,
    },
}
