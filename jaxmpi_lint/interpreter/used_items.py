"""Items of iterators that an expression takes: they are gone, unless the expression is evaluated again."""

from __future__ import annotations

from collections.abc import Generator

from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.operations import MAX_TEXT
from jaxmpi_lint.interpreter.values import Cut, GeneratorValue, Iterator, Value


class Stopped(Exception):
    """No further element of a comprehension is wanted."""

    def __init__(self, is_guessed: bool) -> None:
        super().__init__()
        self.is_guessed = is_guessed


class UsedItems:
    """The iterators that the current step of a rank has used, with their positions before."""

    def __init__(self) -> None:
        self._before: list[tuple[Iterator, int]] = []

    def begin(self) -> None:
        """Begin to evaluate a step."""
        self._before.clear()

    def restore(self) -> None:
        """Give back what was taken: the step is evaluated again."""
        for state, position in reversed(self._before):
            state.position = position

    def take(self, state: Iterator) -> list[Value]:
        """All items of an iterator."""
        if state.left > MAX_TEXT:
            raise Cut("a long container")
        found = list(state.items[state.position :])
        self._before.append((state, state.position))
        state.position = len(state.items)
        return GuessedList(found) if state.is_guessed else found


def hand_over(source: Value, loop: Iterator) -> None:
    """Let a long loop that is sampled take the items of an iterator: how many are left is known at its end only."""
    if isinstance(source, Iterator):
        loop.source = source
        source.items, source.position, source.generator = (), 0, GeneratorValue(_not_known(loop))


def finish(loop: Iterator) -> None:
    """Note that a loop has taken all items."""
    if loop.source is not None:
        loop.source.generator = None


def _not_known(loop: Iterator) -> Generator[Value, Value, Value]:
    if loop.source is not None:
        raise Cut("the rest of a long iterator")
    yield None


def put_back(iterable: Value, count: int) -> None:
    """Leave the last items of those that were taken to the next one who asks."""
    if isinstance(iterable, GeneratorValue) and count:
        raise Cut("a generator that is not used up")
    if isinstance(iterable, Iterator):
        iterable.position -= count
