"""`contextlib`: context managers of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import calls
from jaxmpi_lint.interpreter.contexts import enter_value, exit_value
from jaxmpi_lint.interpreter.libraries.handlers import Silent, cut, silent
from jaxmpi_lint.interpreter.managed import Managed, ManagedFunction, Stack, Suppressing
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.raised import ProgramError, fail
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import MISSING, BoundMethod, Cut, Instance, Method, Running, Value

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


def _close(rank: Rank, stack: Stack, arguments: Arguments) -> Running:
    yield from exit_value(rank, stack, None, rank.state["span"])


def _call_managed(rank: Rank, function: ManagedFunction, arguments: Arguments) -> Running:
    span = rank.state["span"]
    manager = function.manager
    if isinstance(manager, Managed) and manager.again is not None:
        manager = yield from manager.again()
    yield from enter_value(rank, manager, span)
    try:
        result = yield from calls.call(rank, function.function, arguments.values, arguments.keywords, span)
    except ProgramError as error:
        if (yield from exit_value(rank, manager, error, span)):
            return None
        raise
    yield from exit_value(rank, manager, None, span)
    return result


class Variable(Modelled):
    """`contextvars.ContextVar`; ``value`` is `MISSING` before it is set."""

    __slots__ = ("default", "value")
    type_name = "context variable"

    def __init__(self, default: Value) -> None:
        self.value = self.default = default

    def freeze(self, depth: int) -> object:
        """The value."""
        return "context variable", freeze(self.value, depth)


def _variable(rank: Rank, arguments: Arguments) -> Value:
    return Variable(arguments.keywords.get("default", MISSING))


def _set_variable(rank: Rank, variable: Variable, arguments: Arguments) -> Value:
    before, variable.value = variable.value, arguments.get(0)
    return Token(before)


class Token(Modelled):
    """What setting a context variable returns: the value before."""

    __slots__ = ("before",)

    def __init__(self, before: Value) -> None:
        self.before = before

    def freeze(self, depth: int) -> object:
        """The value before."""
        return "token", freeze(self.before, depth)


def _get_variable(rank: Rank, variable: Variable, arguments: Arguments) -> Value:
    if variable.value is not MISSING:
        return variable.value
    if not arguments.values:
        raise fail("LookupError")
    return arguments.get(0)


def _reset_variable(rank: Rank, variable: Variable, arguments: Arguments) -> Value:
    token = arguments.get(0)
    variable.value = token.before if isinstance(token, Token) else rank.symbol("variable", variable)


def _redirected(rank: Rank, arguments: Arguments) -> Value:
    if getattr(arguments.get(0), "type_name", "") == "memory file":
        raise Cut("output that is redirected into memory")
    return Silent("redirection")


FUNCTIONS: dict[str, Any] = {
    "contextlib.suppress": lambda rank, arguments: Suppressing(arguments.values),
    "contextlib.nullcontext": lambda rank, arguments: Holding(arguments.get(0), False),
    "contextlib.closing": lambda rank, arguments: Holding(arguments.get(0), True),
    "contextlib.ExitStack": lambda rank, arguments: Stack(),
    "contextvars.ContextVar": _variable,
    "contextlib.redirect_stdout": _redirected,
    "contextlib.redirect_stderr": _redirected,
    "contextlib.AsyncExitStack": cut("asynchronous code"),
    "warnings.catch_warnings": silent("warnings"),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "managed function": {"__call__": _call_managed},
    "context variable": {"get": _get_variable, "set": _set_variable, "reset": _reset_variable},
    "holding context": {"__enter__": lambda rank, context: context.value, "__exit__": _leave},
    "exit stack": {
        "__enter__": lambda rank, stack: stack,
        "enter_context": _enter_context,
        "callback": _callback,
        "push": _push,
        "pop_all": _pop_all,
        "close": _close,
    },
}
