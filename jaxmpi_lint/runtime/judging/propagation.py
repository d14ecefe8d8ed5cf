"""Which waiting threads may continue once some ranks are live: the least fixpoint of an AND-OR graph.

Each condition is a set of ranks of which one, or all, must be live. Threads that wait for the same set share its
condition, so that the time is linear in the sizes of the different sets, not in their number of waiters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Key = tuple[int, int]
"""A thread: its world rank and its slot in the ledger."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Ranks of which one must be live, or all."""

    ranks: frozenset[int]
    needs_all: bool


@dataclass(slots=True)
class _Waiting:
    """A thread, and how many of its conditions must still be met."""

    key: Key
    left: int


@dataclass(slots=True)
class _State:
    """How many ranks a condition still lacks, and the threads that wait for it."""

    left: int
    waiting: list[_Waiting] = field(default_factory=list)


class Propagation:
    """Adds waiting threads, then finds those that may continue."""

    def __init__(self, live: Iterable[int]) -> None:
        """``live``: ranks with a thread that may continue in any case."""
        self._ranks = set(live)
        self._states: dict[Condition, _State] = {}
        self._by_rank: dict[int, list[_State]] = defaultdict(list)
        self._freed: list[Key] = []

    def add(self, key: Key, conditions: Sequence[Condition], any_of: bool) -> None:
        """A thread that waits for all of these conditions, or for any of them."""
        states = [self._state(condition) for condition in conditions]
        unmet = [state for state in states if state.left]
        left = (1 if len(unmet) == len(states) else 0) if any_of else len(unmet)
        if not left:
            self._freed.append(key)
            return
        waiting = _Waiting(key, left)
        for state in unmet:
            state.waiting.append(waiting)

    def freed(self) -> set[Key]:
        """The threads that may continue."""
        found = set(self._freed)
        queue = [rank for rank in dict.fromkeys(rank for rank, _ in self._freed) if rank not in self._ranks]
        self._ranks.update(queue)
        while queue:
            for state in self._by_rank.get(queue.pop(), ()):
                if not state.left:
                    continue
                state.left -= 1
                if state.left:
                    continue
                for waiting in state.waiting:
                    waiting.left -= 1
                    if waiting.left:
                        continue
                    found.add(waiting.key)
                    if waiting.key[0] not in self._ranks:
                        self._ranks.add(waiting.key[0])
                        queue.append(waiting.key[0])
        return found

    def _state(self, condition: Condition) -> _State:
        known = self._states.get(condition)
        if known is None:
            lacking = condition.ranks - self._ranks
            if condition.needs_all:
                left = len(lacking)
            else:
                left = 1 if len(lacking) == len(condition.ranks) else 0
            known = self._states[condition] = _State(left)
            if left:
                for rank in lacking:
                    self._by_rank[rank].append(known)
        return known
