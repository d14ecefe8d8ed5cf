"""Rows of numbers and texts by columns, in what JSON can hold: ranks that do the same take next to no space.

A column of equal values is stored as this value; one of numbers as runs of equal differences, or if there are hardly
any, as numbers of so many bits; any other one as its different values and runs of their indices. ValueError, TypeError,
KeyError or IndexError if a stored column is damaged.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate, chain, groupby, repeat
from typing import Any

Column = Sequence[Any]
"""A kind, ``+``, ``b``, ``?`` or ``=``, and what it needs, or the only value."""

_FEW = 16  # different numbers that are stored as such
_LENGTHS = "a column and its table have different lengths"


def packed(values: Sequence[Hashable]) -> Column:
    """A column as JSON."""
    typed = [(type(value), value) for value in values]  # True and 1 are different
    indices = {one: index for index, one in enumerate(dict.fromkeys(typed))}
    if len(indices) == 1:
        return [values[0]]
    if len(indices) > _FEW and all(kind is int for kind, _ in indices):
        return _packed_numbers(values)  # type: ignore[arg-type]
    return ["?", [value for _, value in indices], *_runs(indices[one] for one in typed)]


def unpacked(column: Column, length: int) -> list[Any]:
    """The values of a column of this length."""
    if len(column) == 1:
        return [column[0]] * length
    kind, *rest = column
    if kind == "=":
        return _checked(rest[0], length)
    if kind == "+":
        return list(accumulate(_expanded(rest[0], rest[1], length)))
    if kind == "b":
        return _from_bits(rest[0], rest[1], rest[2], length)
    return [rest[0][index] for index in _expanded(rest[1], rest[2], length)]


def plain(values: list[Any]) -> Column:
    """A column that takes no time to unpack, and much space."""
    return ["=", values]


def is_noisy(column: Column) -> bool:
    """Whether it is one of numbers with hardly any order."""
    return len(column) > 1 and column[0] in ("b", "=")


def _packed_numbers(values: Sequence[int]) -> Column:
    runs = _runs(after - before for before, after in zip(chain((0,), values), values, strict=False))
    if 2 * len(runs[0]) < len(values):
        return ["+", *runs]
    least = min(values)
    width = (max(values) - least).bit_length()
    return ["b", least, width, _bits((value - least for value in values), width)]


def _bits(values: Iterable[int], width: int) -> str:
    """Natural numbers of ``width`` bits, one after the other, in Base64."""
    digits = "".join(format(value, f"0{width}b") for value in values)
    digits += "0" * (-len(digits) % 8)
    return b64encode(int(digits, 2).to_bytes(len(digits) // 8, "big")).decode()


def _from_bits(least: int, width: int, text: str, length: int) -> list[int]:
    data = b64decode(text, validate=True)
    if width < 1 or len(data) != -(-length * width // 8):
        raise ValueError(_LENGTHS)
    digits = format(int.from_bytes(data, "big"), f"0{8 * len(data)}b")
    return [least + int(digits[at : at + width], 2) for at in range(0, length * width, width)]


def _runs(values: Iterable[int]) -> tuple[list[int], list[int]]:
    """Values, and how often each comes in a row; no counts if that is once."""
    found = [(value, sum(1 for _ in run)) for value, run in groupby(values)]
    counts = [count for _, count in found]
    return [value for value, _ in found], [] if set(counts) <= {1} else counts


def _expanded(values: Sequence[int], counts: Sequence[int], length: int) -> list[int]:
    if not counts:
        return _checked(list(values), length)
    if sum(counts) != length or len(counts) != len(values) or any(count < 1 for count in counts):
        raise ValueError(_LENGTHS)
    return list(chain.from_iterable(map(repeat, values, counts)))


def _checked(values: list[Any], length: int) -> list[Any]:
    if len(values) != length:
        raise ValueError(_LENGTHS)
    return values
