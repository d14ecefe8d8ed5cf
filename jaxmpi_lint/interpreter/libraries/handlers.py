"""Handlers that many models share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.values import Cut, Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def pure(dotted: str, kind: str = "") -> Handler:
    """A function whose result depends on its arguments alone."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return rank.symbol("call", Library(dotted), *arguments.values, dict(arguments.keywords), kind=kind)

    return call


def computed(dotted: str, function: Callable[..., Any], kind: str = "") -> Handler:
    """A function that is applied where its operands are known, and fails there as in the program only if surely."""
    unknown = pure(dotted, kind)

    def call(rank: Rank, arguments: Arguments) -> Value:
        if all(operations.is_plain(value) for value in arguments.every()):
            try:
                return function(*arguments.values, **arguments.keywords)
            except Exception:  # wrong arguments: the failure is none that this model should tell
                return unknown(rank, arguments)
        return unknown(rank, arguments)

    return call


def own(tag: str, name: str, kind: str = "") -> Handler:
    """A function whose result belongs to one process."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return rank.own(tag, name, kind=kind)

    return call


def ignored(rank: Rank, arguments: Arguments) -> Value:
    """A function without a result."""
    return None


def ignored_method(rank: Rank, receiver: Value, arguments: Arguments) -> Value:
    """A method without a result."""
    return None


def itself(rank: Rank, receiver: Value, arguments: Arguments) -> Value:
    """A method that returns its object."""
    return receiver


def cut(reason: str) -> Handler:
    """A function that cannot be followed."""

    def call(rank: Rank, *arguments: Value) -> Value:
        raise Cut(reason)

    return call


class Silent(Modelled):
    """An object whose methods do nothing that matters: a logger, a lock, a writer of files."""

    __slots__ = ("label",)
    type_name = "silent"

    def __init__(self, label: str) -> None:
        self.label = label

    def freeze(self, _depth: int) -> object:
        """The label."""
        return "silent", self.label

    def attribute(self, rank: Rank, name: str) -> Value:
        """Every attribute is a method, but for a few fields."""
        fields = ("handlers", "level", "disabled", "name", "propagate", "root", "parent")
        return rank.symbol("silent", self.label, name) if name in fields else Method(self, name)

    def field(self, rank: Rank, name: str, kind: str) -> Value:
        """What a method tells of the object, equal on all processes."""
        return rank.symbol("silent", self.label, name, kind=kind)


def silent(label: str) -> Handler:
    """A function that makes such an object."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return Silent(label)

    return call


def _told(name: str, kind: str) -> Callable[..., Any]:
    return lambda rank, receiver, arguments: receiver.field(rank, name, kind)


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "silent": {
        "__enter__": lambda rank, receiver: receiver,
        "__exit__": lambda rank, receiver: None,
        "isEnabledFor": _told("isEnabledFor", "bool"),
        "hasHandlers": _told("hasHandlers", "bool"),
        "getEffectiveLevel": _told("getEffectiveLevel", "int"),
        "getChild": itself,
        "start": itself,
        "acquire": lambda rank, receiver, arguments: True,
        "*": ignored_method,
    },
}
