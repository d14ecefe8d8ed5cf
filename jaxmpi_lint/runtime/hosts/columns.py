"""Rows of numbers and texts by columns, in what JSON can hold: ranks that do the same take next to no space.

A column of numbers is stored as runs of equal differences, any other one as its different values and runs of their
indices. ValueError, TypeError, KeyError or IndexError if a stored column is damaged.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate, chain, groupby, repeat
from typing import Any

Column = Sequence[Any]
"""A kind, ``+`` or ``?``, and what it needs."""

_FEW = 16  # different numbers that are stored as such


def packed(values: Sequence[Hashable]) -> Column:
    """A column as JSON."""
    typed = [(type(value), value) for value in values]  # True and 1 are different
    indices = {one: index for index, one in enumerate(dict.fromkeys(typed))}
    if len(indices) > _FEW and all(kind is int for kind, _ in indices):
        numbers: Sequence[Any] = values
        return "+", _runs(after - before for before, after in zip(chain((0,), numbers), numbers, strict=False))
    return "?", [value for _, value in indices], _runs(indices[one] for one in typed)


def unpacked(column: Column, length: int) -> list[Any]:
    """The values of a column of this length."""
    kind, *rest = column
    if kind == "+":
        return list(accumulate(_expanded(rest[0], length)))
    values, runs = rest
    return [values[index] for index in _expanded(runs, length)]


def _runs(values: Iterable[int]) -> tuple[list[int], list[int]]:
    """Values, and how often each comes in a row; no counts if that is once."""
    found = [(value, sum(1 for _ in run)) for value, run in groupby(values)]
    counts = [count for _, count in found]
    return [value for value, _ in found], [] if set(counts) <= {1} else counts


def _expanded(runs: tuple[Sequence[int], Sequence[int]], length: int) -> list[int]:
    values, counts = runs
    counts = counts or [1] * len(values)
    if sum(counts) != length or len(counts) != len(values) or any(count < 1 for count in counts):
        raise ValueError("a column and its table have different lengths")
    return list(chain.from_iterable(map(repeat, values, counts)))
