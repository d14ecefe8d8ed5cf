"""Collectives with a count for each rank: what a rank sends must fit what the receiver expects from it.

MPI 4.1, sections 6.5 to 6.8: the number of elements that a rank sends must be the number that the receiver specifies
for it. Longer messages are faults here. Shorter ones arrive in MPI libraries in use, and programs reuse larger buffers
on purpose; they are faults where the counts are those of the rows of an array, so that most of each row is left out,
where the receiver states a different count for each rank, and where the counts of one group of ranks fit exactly, so
that those of another group in the same call are meant to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of a buffer, one for each rank: counts and displacements in elements, and the number of all elements.

    Without displacements each part starts where the one before ends. ``size`` is None if it is not known. ``rows`` is
    the number of rows of several elements, None for a buffer without.
    """

    counts: tuple[int, ...]
    displacements: tuple[int, ...] | None
    size: int | None
    rows: int | None = None

    @property
    def ranges(self) -> tuple[range, ...]:
        """The elements of each part."""
        starts = self.displacements
        if starts is None:
            starts = tuple(accumulate(self.counts, initial=0))
        return tuple(range(start, start + count) for start, count in zip(starts, self.counts, strict=False))

    @property
    def end(self) -> int:
        """The element behind the last one that the parts cover."""
        if self.displacements is None:
            return sum(self.counts)
        parts = zip(self.counts, self.displacements, strict=False)
        return max((count + start for count, start in parts if count > 0), default=0)


@dataclass(frozen=True, slots=True)
class Side:
    """The buffer of one side: its layout, or the number of elements and rows if it has one part only."""

    count: int | None
    dtype: str | None
    layout: Layout | None
    rows: int | None = None

    def part(self, number: int) -> int | None:
        """The number of elements for a rank, given by its number in the communicator; None if it is not known."""
        if self.layout is None:
            return self.count
        return self.layout.counts[number] if number < len(self.layout.counts) else None


@dataclass(frozen=True, slots=True)
class _Transfer:
    """What one rank sends to another one, by their numbers in the world."""

    sender: int
    receiver: int
    sent: int | None
    expected: int | None

    @property
    def is_shorter(self) -> bool:
        """Whether fewer elements are sent than the receiver has a place for."""
        return self.sent is not None and self.expected is not None and self.sent < self.expected


def check(present: dict[int, Collective]) -> Fault | None:
    """The first buffer that is too small for its parts, or for what a rank sends."""
    kind = next(iter(present.values())).kind.removeprefix("I").lower()
    if not kind.endswith("v"):
        return None
    for number, event in sorted(present.items()):
        fault = _outside(event, number, kind) or _overlap(event, number, kind)
        if fault is not None:
            return fault
    transfers = list(_TRANSFERS.get(kind, _none)(present))
    for one in transfers:
        if one.sent is not None and one.expected is not None and one.sent > one.expected:
            return _unlike(present, one)
    return _rows_received(present, transfers) or _shorter(present, transfers)


def _shorter(present: dict[int, Collective], transfers: list[_Transfer]) -> Fault | None:
    """The first rank that sends fewer elements than its count, if counts differ, as those of parts of a table do."""
    for one in transfers:
        takes = present[one.receiver].extra.get("takes")
        counts = takes.layout.counts if isinstance(takes, Side) and takes.layout is not None else ()
        if one.is_shorter and len(set(counts)) > 1:
            return _unlike(present, one)
    return None


def _unlike(present: dict[int, Collective], one: _Transfer) -> Fault:
    detail = f"rank {one.sender} sends {one.sent} elements where rank {one.receiver} expects {one.expected}"
    return Fault(Kind.COUNT, present[one.sender], one.sender, one.receiver, present[one.receiver], detail)


def check_groups(world: World, present: dict[int, Collective]) -> Fault | None:
    """The counts of a group that are all too large, where those of another group fit in the same call."""
    event = next(iter(present.values()))
    transfers = list(_TRANSFERS.get(event.kind.removeprefix("I").lower(), _none)(present))
    if not transfers or not all(one.sent for one in transfers):
        return None
    key = "counts of groups", event.place.module.path, event.place.span
    made: dict[object, Fault | None] = world.notes.setdefault(key, {})
    if all(one.sent == one.expected for one in transfers):
        made[event.communicator.identity] = None
    elif all(one.is_shorter for one in transfers):
        made[event.communicator.identity] = _unlike(present, transfers[0])
    faults = [fault for fault in made.values() if fault is not None]
    return faults[0] if None in made.values() and faults else None


def _rows_received(present: dict[int, Collective], transfers: list[_Transfer]) -> Fault | None:
    """Arrays of which every rank receives as many elements as its array has rows."""
    found: Fault | None = None
    for one in transfers:
        takes = present[one.receiver].extra.get("takes")
        if one.sent == 0 and one.expected == 0:
            continue
        if not isinstance(takes, Side) or takes.rows is None or takes.rows != one.sent or takes.layout is not None:
            return None
        detail = f"{one.sent} elements arrive, as many as the receive buffer of {one.expected} elements has rows"
        found = found or Fault(Kind.COUNT, present[one.receiver], one.receiver, one.sender, present[one.sender], detail)
    return found


def _outside(event: Collective, number: int, kind: str) -> Fault | None:
    """Parts that lie outside of the buffer of a rank; a buffer that only the root uses is ignored on the others."""
    is_root = event.root == event.communicator.number
    names = [name for name in ("sends", "takes") if is_root or name != _OF_ROOT.get(kind)]
    for side in (event.extra.get(name) for name in names):
        if not isinstance(side, Side):
            continue
        layout = side.layout
        if layout is not None and layout.size is not None and layout.end > layout.size:
            detail = f"the counts and displacements cover {layout.end} elements of a buffer of {layout.size}"
            return Fault(Kind.COUNT, event, number, detail=detail)
        if layout is not None and layout.size is not None and layout.rows == layout.end == sum(layout.counts):
            detail = f"the counts cover {layout.end} elements, as many as the buffer of {layout.size} elements has rows"
            return Fault(Kind.COUNT, event, number, detail=detail)
    return None


def _overlap(event: Collective, number: int, kind: str) -> Fault | None:
    """Parts of a receive buffer of which two hold the same element: no location may be written twice."""
    side = event.extra.get("takes")
    is_used = event.root == event.communicator.number or _OF_ROOT.get(kind) != "takes"
    if not is_used or not isinstance(side, Side) or side.layout is None or side.layout.displacements is None:
        return None
    parts = sorted(zip(side.layout.displacements, side.layout.counts, strict=False))
    filled = [(start, count) for start, count in parts if count > 0]
    for (start, count), (following, _) in pairwise(filled):
        if following < start + count:
            detail = f"the part at displacement {start} has {count} elements, the next one starts at {following}"
            return Fault(Kind.COUNT, event, number, detail=detail)
    return None


def _transfer(sender: tuple[int, Collective], receiver: tuple[int, Collective]) -> _Transfer:
    (source, sending), (target, receiving) = sender, receiver
    sends, takes = sending.extra.get("sends"), receiving.extra.get("takes")
    to, by = receiving.communicator.number, sending.communicator.number
    if not isinstance(sends, Side) or not isinstance(takes, Side) or to is None or by is None:
        return _Transfer(source, target, None, None)
    if sends.dtype is None or sends.dtype != takes.dtype:
        return _Transfer(source, target, None, None)
    return _Transfer(source, target, sends.part(to), takes.part(by))


def _to_root(present: dict[int, Collective]) -> Iterator[_Transfer]:
    for root in _roots(present):
        yield from (_transfer(sender, root) for sender in sorted(present.items(), key=_first))


def _from_root(present: dict[int, Collective]) -> Iterator[_Transfer]:
    for root in _roots(present):
        yield from (_transfer(root, receiver) for receiver in sorted(present.items(), key=_first))


def _among_all(present: dict[int, Collective]) -> Iterator[_Transfer]:
    items = sorted(present.items(), key=_first)
    yield from (_transfer(sender, receiver) for sender in items for receiver in items)


def _roots(present: dict[int, Collective]) -> list[tuple[int, Collective]]:
    return [(number, event) for number, event in present.items() if event.root == event.communicator.number]


def _first(item: tuple[int, Collective]) -> int:
    return item[0]


def _none(_present: dict[int, Collective]) -> Iterator[_Transfer]:
    return iter(())


_OF_ROOT = {"gatherv": "takes", "scatterv": "sends"}
_TRANSFERS = {"gatherv": _to_root, "scatterv": _from_root, "allgatherv": _among_all, "alltoallv": _among_all}
