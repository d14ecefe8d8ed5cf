"""Containers of an interpreted program that are not those of Python: of guessed length, with defaults, with names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.values import Value


class GuessedList(list[Any]):
    """A list whose length was guessed; no check of counts may use it."""


class DefaultDict(dict[Any, Any]):
    """A `collections.defaultdict` with a library factory."""

    def __init__(self, make: Callable[[], Value] | None, *args: Any) -> None:
        super().__init__(*args)
        self.make = make


class View(list[Any]):
    """The keys or entries of a dict, which compare and combine as those of a set."""


class Record(tuple[Any, ...]):
    """A named tuple of a library: its items have names."""

    title: str = ""
    names: tuple[str, ...] = ()

    @classmethod
    def make(cls, title: str, names: tuple[str, ...], items: Iterable[Value]) -> Record:
        """A record with names."""
        made = cls(items)
        made.title, made.names = title, names
        return made
