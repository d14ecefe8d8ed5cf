"""Memoized answers for mutually recursive queries about functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Solved(Generic[Key, Answer]):
    """Answers by key, each computed once; a recursive request returns the assumed answer."""

    def __init__(self, assumed: Answer) -> None:
        self._assumed = assumed
        self._known: dict[Key, Answer] = {}

    def of(self, key: Key, compute: Callable[[], Answer]) -> Answer:
        """The answer for a key, computed on the first request."""
        if key not in self._known:
            self._known[key] = self._assumed
            self._known[key] = compute()
        return self._known[key]
