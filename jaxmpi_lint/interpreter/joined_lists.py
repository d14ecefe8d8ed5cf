"""Lists that a pickle-based sum has joined, and of which the program takes the items for sums.

Python joins lists: the result has the items of all ranks. A program that pairs them with as many names as one rank has
items, or reads each of the first rank's items and none of the others, has meant the sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_JOINED = "joined lists"
_NUMBERS = (bool, int, float, complex, Symbol)


@dataclass(slots=True)
class _Joined:
    """A joined list in a rank: the number of items of one rank, the call, and the positions that were read.

    ``is_paired`` if it was paired with as many names. Going through all items reads a position after the last one.
    """

    items: list[Value]
    part: int
    event: Collective
    read: set[int] = field(default_factory=set)
    is_paired: bool = False


def mark(world: World, present: dict[int, Collective], values: dict[int, Value]) -> None:
    """Remember the results of a reduction, if they are lists to which all ranks have contributed alike."""
    parts = [event.payload for event in present.values()]
    operator = getattr(next(iter(present.values())).operator, "dotted", "")
    if not (operator.endswith(".SUM") and len(parts) > 1 and all(map(_is_of_numbers, parts))):
        return
    if len({len(part) for part in parts}) > 1 or len(parts[0]) < 2:
        return
    for number, value in values.items():
        if type(value) is list:
            known = world.processes[number].rank.state.setdefault(_JOINED, {})
            known[id(value)] = _Joined(value, len(parts[0]), present[number])


def _is_of_numbers(part: Value) -> bool:
    return type(part) is list and all(isinstance(item, _NUMBERS) for item in part)


def note_item(rank: Rank, container: Value, position: int) -> None:
    """Keep that a rank reads one item."""
    joined = _found(rank, container)
    if joined is not None:
        joined.read.add(position % len(joined.items))


def note_whole(rank: Rank, container: Value) -> None:
    """Keep that a rank goes through all items, or asks how many there are."""
    joined = _found(rank, container)
    if joined is not None:
        joined.read.add(len(joined.items))


def note_paired(rank: Rank, columns: Iterable[Value]) -> None:
    """Keep that a list is paired with something which has as many items as one rank."""
    several = list(columns)
    for joined in filter(None, (_found(rank, one) for one in several)):
        joined.is_paired = joined.is_paired or any(_length(other) == joined.part for other in several)


def _found(rank: Rank, container: Value) -> _Joined | None:
    known: dict[int, _Joined] = rank.state.get(_JOINED, {})
    return known.get(id(container)) if known else None


def _length(other: Value) -> int | None:
    is_plain = type(other) in (list, tuple, str, range)
    return len(other) if is_plain else None


def fault(world: World) -> Fault | None:
    """A list that is paired, or of which a rank has read exactly the items of the first rank."""
    for process in world.processes:
        lists: dict[int, _Joined] = process.rank.state.get(_JOINED, {})
        for joined in lists.values():
            if joined.is_paired or joined.read == set(range(joined.part)):
                detail = "the lists of all ranks and does not add their items"
                return Fault(Kind.JOINED, joined.event, process.rank.number, detail=detail)
    return None
