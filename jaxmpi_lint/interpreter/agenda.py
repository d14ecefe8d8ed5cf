"""The worlds of an entry that are still to be run, in the order in which they are likely to show something new."""

from __future__ import annotations

from collections import Counter

from jaxmpi_lint.interpreter.decisions import Alternative, Decisions, EveryPass, Place


class Agenda:
    """Choices that lead to further worlds: first those about tests of which each outcome is still to be seen.

    A test in a loop is asked in each pass, of different values: without an order, its outcomes in the first passes
    would use up all worlds, and no later test would ever have its other outcome.
    """

    def __init__(self, *, prefers_passes: bool = False) -> None:
        """``prefers_passes`` where few worlds are run: outcomes of all passes of a rank come before those of one."""
        self._prefers_passes = prefers_passes
        self._waiting: list[Alternative | None] = [None]
        self._tried: Counter[Place | EveryPass] = Counter()

    def __bool__(self) -> bool:
        """Whether there is a further world."""
        return bool(self._waiting)

    def next(self) -> dict[object, object]:
        """The choices of the next world."""
        position = min(range(len(self._waiting)), key=lambda at: self._turn(self._waiting[at]))
        found = self._waiting.pop(position)
        if found is None:
            return {}
        self._tried[found.about] += 1
        return found.choices

    def _turn(self, one: Alternative | None) -> int:
        if one is None:
            return 0
        return self._tried[one.about] + (one.is_unlikely or (one.is_of_passes and self._prefers_passes))

    def add(self, decisions: Decisions) -> None:
        """Add the worlds in which one choice of a world has a different outcome."""
        self._waiting += decisions.alternatives()
