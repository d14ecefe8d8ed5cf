"""Arrays of which each process is said to hold the same data, and what the processes hand in for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.differences import surely_differ
from jaxmpi_lint.interpreter.events import Access, Collective
from jaxmpi_lint.interpreter.libraries.jax_launches import same_shapes
from jaxmpi_lint.interpreter.libraries.jax_values import is_global, leaves
from jaxmpi_lint.interpreter.operations import is_plain
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


@dataclass(slots=True)
class _Replica:
    """What one process hands in for its part of an array."""

    rank: int
    event: Access
    data: list[Value]


def note(rank: Rank, label: str, data: Value) -> None:
    """Compare what this process hands in for a replicated array with what the first one has handed in there."""
    place = rank.place(rank.state["span"])
    event = Access(place, label)
    site = place.module.path, place.span, place.paths
    key = ("replica", *site, rank.serial(("replica", *site)))
    mine = _Replica(rank.number, event, [copied(leaf) for leaf in leaves(data) if not is_global(leaf)])
    first: _Replica = rank.world.notes.setdefault(key, mine)
    found = _difference(first.data, mine.data)
    if found:
        rank.world.report(Fault(Kind.REPLICA, mine.event, mine.rank, first.rank, first.event, found))


def same_values(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    """Values that surely differ where JAX compares those of all processes."""
    fault = same_shapes(first, lowest, event, number)
    if fault is not None:
        return fault
    found = _difference(leaves(first.payload), leaves(event.payload))
    return Fault(Kind.VALUE, first, lowest, number, event, found) if found else None


def _difference(mine: list[Value], others: list[Value]) -> str:
    """The first difference in words; empty if there is none, as far as is known."""
    if len(mine) != len(others):
        return ""
    for one, other in zip(mine, others, strict=True):
        if surely_differ(one, other):
            return f"{one!r} and {other!r}" if _is_shown(one) and _is_shown(other) else "values of each process"
    return ""


def _is_shown(value: Value) -> bool:
    return not isinstance(value, Array) and is_plain(value)
