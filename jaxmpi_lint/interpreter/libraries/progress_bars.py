"""Progress bars: they give the items of what they wrap, and change nothing else (tqdm, rich, alive-progress)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries.handlers import Silent
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.library.python.sequences import PROGRESS_BARS, PROGRESS_RANGES

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Bar(Silent):
    """A bar around ``wrapped``, which is None if the program moves it forward itself."""

    __slots__ = ("wrapped",)
    type_name = "progress bar"

    def __init__(self, wrapped: Value) -> None:
        super().__init__("progress bar")
        self.wrapped = wrapped

    def freeze(self, depth: int) -> object:
        """What is wrapped."""
        return "progress bar", freeze(self.wrapped, depth)


def _bar(rank: Rank, arguments: Arguments) -> Value:
    given = next((name for name in ("iterable", "sequence", "it") if name in arguments.keywords), "iterable")
    return Bar(arguments.get(0, given))


def _range(rank: Rank, arguments: Arguments) -> Value:
    make = rank.models.function("builtins.range")
    return Bar(make(rank, Arguments(arguments.values, {})) if make is not None else None)


FUNCTIONS: dict[str, Any] = {
    **dict.fromkeys(PROGRESS_BARS, _bar),
    **dict.fromkeys(PROGRESS_RANGES, _range),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "progress bar": {
        "__enter__": lambda rank, receiver: receiver,
        "__exit__": lambda rank, receiver: None,
        "*": lambda rank, receiver, arguments: None,
    },
}
