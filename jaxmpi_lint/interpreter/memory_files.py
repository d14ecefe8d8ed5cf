"""Files in memory, `io.StringIO` and `io.BytesIO`: what was written decides what is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class MemoryFile(Modelled):
    """A file in memory: ``parts`` were written, ``reads`` counts what was read before the end.

    ``is_given`` if it begins with a content, which the next part replaces.
    """

    __slots__ = ("empty", "is_given", "is_moved", "parts", "reads")
    type_name = "memory file"

    def __init__(self, empty: str | bytes, parts: tuple[Value, ...]) -> None:
        self.empty = empty
        self.parts = parts
        self.reads = 0
        self.is_moved = False
        self.is_given = False

    def freeze(self, depth: int) -> object:
        """The parts and how much was read."""
        return "memory file", freeze(self.parts, depth), self.reads

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods only."""
        return Method(self, name)

    def content(self, rank: Rank) -> Value:
        """All that was written, a symbol of its parts if one of them is not known."""
        known = [part for part in self.parts if isinstance(part, type(self.empty))]
        if len(known) == len(self.parts) and not self.is_moved and sum(map(len, known)) <= operations.MAX_TEXT:
            return self.empty.join(known)  # type: ignore[arg-type]
        return rank.symbol("memory", self.parts, self.is_moved, kind=type(self.empty).__name__)

    def read(self, rank: Rank, what: str, kind: str = "") -> Value:
        """What is read next."""
        self.reads += 1
        kind = kind or type(self.empty).__name__
        return rank.symbol(what, self.content(rank), self.reads, kind=kind)

    def write(self, value: Value) -> None:
        """Add a part."""
        self.is_moved |= self.is_given
        self.parts = (*self.parts, copied(value))


def note(arguments: Arguments) -> None:
    """A library function that is given a file in memory may write its other arguments to it."""
    every = arguments.every()
    for value in every:
        if isinstance(value, MemoryFile):
            value.write([one for one in every if one is not value])
