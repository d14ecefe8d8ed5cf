"""Containers of an interpreted program that are not those of Python: of guessed length, with defaults, with names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

from jaxmpi_lint.interpreter.symbols import freeze


class GuessedList(list[Any]):
    """A list whose length was guessed; no check of counts may use it."""


NO_ARGUMENT = "an argument of the command line"
"""Why a world is cut that reads one which is not there."""


class CommandLine(list[Any]):
    """``sys.argv`` of a program that is run without arguments, or a part of it."""


def alike(items: list[Any], *sources: Any) -> list[Any]:
    """Items that were made of those of other containers: of guessed number if that of one of them was guessed."""
    return GuessedList(items) if any(isinstance(one, GuessedList) for one in sources) else items


class DefaultDict(dict[Any, Any]):
    """A `collections.defaultdict`; ``make`` is a function of Python, or a function or class of the program."""

    def __init__(self, make: Any, *args: Any) -> None:
        super().__init__(*args)
        self.make = make


class Names(dict[Any, Any]):
    """The global names of a module."""


class View(list[Any]):
    """The keys, values or entries of a dict, read again whenever the program names the view.

    ``is_set`` if it compares and combines as a set does.
    """

    def __init__(
        self, items: Iterable[Any] = (), read: Callable[[], list[Any]] | None = None, *, is_set: bool = False
    ) -> None:
        super().__init__(items)
        self._read = read
        self.is_set = is_set

    def refresh(self) -> None:
        """Show what the dict has now."""
        if self._read is not None:
            self[:] = self._read()


class Record(tuple[Any, ...]):
    """A named tuple of a library: its items have names."""

    title: str = ""
    names: tuple[str, ...] = ()

    @classmethod
    def make(cls, title: str, names: tuple[str, ...], items: Iterable[Any]) -> Record:
        """A record with names."""
        made = cls(items)
        made.title, made.names = title, names
        return made


@dataclass(frozen=True, slots=True)
class Rows(Sequence[tuple[Any, ...]]):
    """Rows of long ranges, which are made when they are asked for."""

    columns: tuple[range, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return min(map(len, self.columns))

    @overload
    def __getitem__(self, index: int) -> tuple[Any, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Rows: ...

    def __getitem__(self, index: int | slice) -> tuple[Any, ...] | Rows:
        """One row, or some of them."""
        columns = tuple(column[: len(self)] for column in self.columns)
        if isinstance(index, slice):
            return Rows(tuple(column[index] for column in columns))
        return tuple(column[index] for column in columns)

    def freeze(self, depth: int) -> object:
        """The columns."""
        return "rows", *(freeze(column, depth) for column in self.columns)
