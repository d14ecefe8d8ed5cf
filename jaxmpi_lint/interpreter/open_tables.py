"""Dicts that were updated by something unknown: what is known of their entries.

The entries that a program names keep their keys and lose their values. Whether there are further ones is not known: a
look-up of a different key gives a symbol, and the number of entries is guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.container_values import GuessedList, Names
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class _Further:
    """The key of the entries that are not known; it remains in copies of the dict."""

    def __repr__(self) -> str:
        return "..."

    def freeze(self, _depth: int) -> object:
        """Equal everywhere."""
        return "further entries"


_FURTHER = _Further()


def update(rank: Rank, table: dict[Any, Value], source: Value) -> None:
    """Update a dict by unknown entries."""
    if isinstance(table, Names):
        raise Cut("names that unknown entries set")
    table.update((key, rank.symbol("entry", key, value, source)) for key, value in known(table))
    table[_FURTHER] = rank.symbol("further entries", source)


def is_open(container: Value) -> bool:
    """Whether a dict may have further entries."""
    return isinstance(container, dict) and _FURTHER in container


def known(table: dict[Any, Value]) -> list[tuple[Any, Value]]:
    """The entries whose keys are known."""
    pairs = [(key, value) for key, value in table.items() if key is not _FURTHER]
    return GuessedList(pairs) if is_open(table) else pairs


def keys(table: dict[Any, Value]) -> list[Any]:
    """The known keys."""
    found = [key for key in table if key is not _FURTHER]
    return GuessedList(found) if is_open(table) else found


def values(table: dict[Any, Value]) -> list[Value]:
    """The values of the known keys."""
    found = [value for key, value in table.items() if key is not _FURTHER]
    return GuessedList(found) if is_open(table) else found
