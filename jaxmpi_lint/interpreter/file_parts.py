"""Parts of a file that several ranks have opened together, and whether those of two ranks overlap.

Two writes of different ranks to the same bytes, which nothing orders, leave a file with parts of both (MPI 4.1, section
14.6.1). Equal parts are left alone unless their contents differ for certain: headers are often written by all ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import own_lengths
from jaxmpi_lint.interpreter.events import Event
from jaxmpi_lint.interpreter.own_lengths import Selection
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

MAX_PARTS = 400
"""Parts of one world that are compared."""


@dataclass(slots=True, eq=False)
class FilePart(Event):
    """A write of a rank to a part of a file: ``start`` and ``count`` in bytes, None where they are not known.

    ``file`` identifies the opened file, ``number`` is the rank among those that opened it and ``size`` their number.
    ``selection`` is that of the elements if the rank has selected them, ``content`` the elements if all are known.
    """

    rank: int
    file: int
    path: Value
    number: int
    size: int
    start: Value
    count: int | None
    selection: Selection | None
    content: tuple[Value, ...] | None
    clock: tuple[int, ...]


def fault(world: World) -> Fault | None:
    """The first two parts of different ranks that overlap and that nothing orders."""
    parts: list[FilePart] = world.accesses.parts
    if world.accesses.is_unknown or world.opaque or len(parts) > MAX_PARTS:
        return None
    overlapping = _overlapping(parts) or _of_own_lengths(parts)
    if overlapping is None:
        return None
    one, other, what = overlapping
    name = f"`{one.path}`" if isinstance(one.path, str) else "the same file"
    detail = f"rank {one.rank} and rank {other.rank} write overlapping parts of {name}: {what}"
    return Fault(Kind.FILE_PARTS, one, one.rank, other.rank, other, detail)


Overlap = tuple[FilePart, FilePart, str]
"""Two parts, and in words how they overlap."""


def _overlapping(parts: Iterable[FilePart]) -> Overlap | None:
    known = [part for part in parts if isinstance(part.start, int) and part.count]
    for one, other in combinations(known, 2):
        mine, theirs = _bytes(one), _bytes(other)
        is_same = mine == theirs and (None in (one.content, other.content) or one.content == other.content)
        if not is_same and mine[0] < theirs[1] and theirs[0] < mine[1] and _are_concurrent(one, other):
            return one, other, f"bytes {mine[0]} to {mine[1]} and {theirs[0]} to {theirs[1]}"
    return None


def _bytes(part: FilePart) -> tuple[int, int]:
    start = int(part.start)
    return start, start + (part.count or 0)


def _are_concurrent(one: FilePart, other: FilePart) -> bool:
    if one.file != other.file or one.rank == other.rank:
        return False
    is_before = other.clock[one.rank] >= one.clock[one.rank]
    return not is_before and one.clock[other.rank] < other.clock[other.rank]


# --- the rank times the own length ---


def _of_own_lengths(parts: list[FilePart]) -> Overlap | None:
    """Parts that start at the rank times a length that each rank has of its own."""
    for first in parts:
        together = {part.number: part for part in _calls_of(first, parts)}
        if first.number or len(together) != first.size:
            continue
        found = {number: _product_of(part) for number, part in together.items()}
        starts = {number: one for number, one in found.items() if one is not None}
        step = starts[1].number if 1 in starts else 0
        if step <= 0 or len(starts) < len(found) or len({one.others for one in starts.values()}) > 1:
            continue
        if any(one.number != step * number for number, one in starts.items()):
            continue
        pair = next((pair for pair in combinations(sorted(starts), 2) if _differ(starts, *pair)), None)
        if pair is not None:
            what = "each starts at the rank times a length that differs between the ranks"
            return together[pair[0]], together[pair[1]], what
    return None


def _differ(starts: dict[int, Product], one: int, other: int) -> bool:
    return starts[one].length is not starts[other].length


def _calls_of(first: FilePart, parts: Iterable[FilePart]) -> Iterator[FilePart]:
    """The same call on all ranks."""
    for part in parts:
        is_same = part.file == first.file and part.place.span == first.place.span and part.selection is not None
        if is_same and (part is first or _are_concurrent(part, first)):
            yield part


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a number, a separate length of each rank, and further factors."""

    number: int
    length: Symbol
    others: frozenset[object]


def _product_of(part: FilePart) -> Product | None:
    """The start of a part as a product; None for another start."""
    factors = list(_factors(part.start))
    number, lengths, others = 1, [], []
    for factor in factors:
        match factor:
            case int() | ("int", int()):
                number *= _number(factor)
            case Symbol() if own_lengths.measured(factor) is not None:
                lengths.append(factor)
            case _:
                others.append(factor)
    return Product(number, lengths[0], frozenset(others)) if len(lengths) == 1 else None


def _number(factor: Any) -> int:
    return factor if isinstance(factor, int) else int(factor[1])


def _factors(frozen: object) -> Iterator[object]:
    match frozen:
        case Symbol(key=(("str", "operation"), ("str", "*"), one, other)):
            yield from _factors(one)
            yield from _factors(other)
        case _:
            yield frozen
