"""Lists that a pickle-based sum has joined, and of which the program takes the items for sums.

Python joins lists: the result has the items of all ranks. A program that pairs them with as many names as one rank has
items, or reads each of the first rank's items and none of the others, has meant the sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_READ, _FOUND = "items of joined lists", "items of a joined list taken for sums"
_NUMBERS = (bool, int, float, complex, Symbol)


class Joined(list[Any]):
    """Such a list; ``part`` is the number of items of each rank, ``event`` the call of this rank."""

    part: int
    event: Collective


def joined(present: dict[int, Collective], number: int, value: Value) -> Value:
    """The result of a reduction for a rank: marked if it is a list to which all ranks have contributed alike."""
    parts = [event.payload for event in present.values()]
    is_addition = getattr(present[number].operator, "dotted", "").endswith(".SUM")
    is_sum = is_addition and type(value) is list and all(map(_is_of_numbers, parts))
    if not is_sum or len(present) < 2 or len({len(part) for part in parts}) > 1 or len(parts[0]) < 2:
        return value
    made = Joined(value)
    made.part, made.event = len(parts[0]), present[number]
    return made


def _is_of_numbers(part: Value) -> bool:
    return type(part) is list and all(isinstance(item, _NUMBERS) for item in part)


def note_item(rank: Rank, read: Joined, position: int) -> None:
    """Keep that a rank reads one item."""
    _positions(rank, read).add(position % len(read))


def note_whole(rank: Rank, read: Value) -> None:
    """Keep that a rank goes through all items, or asks how many there are."""
    if isinstance(read, Joined):
        _positions(rank, read).add(len(read))


def note_paired(rank: Rank, columns: Iterable[Value]) -> None:
    """Report a list that is paired with something which has as many items as one rank."""
    several = list(columns)
    for one in several:
        if isinstance(one, Joined) and any(_length(other) == one.part for other in several):
            rank.world.notes.setdefault(_FOUND, _fault(rank, one))


def _length(other: Value) -> int | None:
    is_plain = type(other) in (list, tuple, str, range)
    return len(other) if is_plain else None


def _positions(rank: Rank, read: Joined) -> set[int]:
    place = read.event.place
    known: dict[object, Any] = rank.world.notes.setdefault(_READ, {})
    held: tuple[Fault, int, set[int]] = known.setdefault(
        (place.module.path, place.span, rank.number), (_fault(rank, read), read.part, set())
    )
    return held[2]


def _fault(rank: Rank, read: Joined) -> Fault:
    return Fault(Kind.JOINED, read.event, rank.number, detail="the lists of all ranks and does not add their items")


def fault(world: World) -> Fault | None:
    """A list that is paired, or of which a rank has read exactly the items of the first rank."""
    found: Fault | None = world.notes.get(_FOUND)
    if found is not None:
        return found
    read = world.notes.get(_READ, {}).values()
    return next((one for one, part, positions in read if positions == set(range(part))), None)
