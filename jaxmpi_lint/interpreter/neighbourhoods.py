"""Graphs of neighbours: each edge must be named by both of its ends.

MPI 4.1, section 8.5.4: ``Create_dist_graph_adjacent`` takes the edges that lead to a rank and those that leave it. If
one end of an edge does not name it, the collectives among neighbours wait for data that no rank sends.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.sizes import RankNumber
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

PROC_NULL = -2

Neighbours = tuple[list[int], list[int]]
"""The sources and the destinations that a rank names."""


def neighbours(sources: Value, destinations: Value) -> Neighbours | None:
    """The ranks that two arguments name, None if one of them is not known."""
    lists = _ranks(sources), _ranks(destinations)
    return None if lists[0] is None or lists[1] is None else (lists[0], lists[1])


def _ranks(value: Value) -> list[int] | None:
    if isinstance(value, GuessedList) or (isinstance(value, Array) and (value.is_guessed or value.shape is None)):
        return None
    several = value.cells if isinstance(value, Array) else value
    if not isinstance(several, (list, tuple, range)):
        return None
    found = list(several)
    return found if all(isinstance(one, int) and not isinstance(one, bool) for one in found) else None


def out_of_range(event: Collective, number: int, named: Neighbours) -> Fault | None:
    """The first neighbour that is no rank of the communicator."""
    size = event.communicator.size or 0
    for one in (*named[0], *named[1]):
        if one != PROC_NULL and not 0 <= one < size:
            detail = f"rank {one} in a communicator of {size} ranks"
            constant = None if isinstance(one, RankNumber) or one < 0 else one
            return Fault(Kind.PEER, event, number, detail=detail, constant=constant)
    return None


def check(present: dict[int, Collective]) -> Fault | None:
    """The first edge that one of its ends names more often than the other one."""
    leaving: Counter[tuple[int, int]] = Counter()
    arriving: Counter[tuple[int, int]] = Counter()
    for event in present.values():
        named: Neighbours | None = event.extra.get("neighbours")
        own = event.communicator.number
        if named is None or own is None:
            return None
        arriving.update((int(one), own) for one in named[0] if one != PROC_NULL)
        leaving.update((own, int(one)) for one in named[1] if one != PROC_NULL)
    for edge in sorted(leaving | arriving):
        if leaving[edge] != arriving[edge]:
            return _fault(present, edge, leaving[edge], arriving[edge])
    return None


def _fault(present: dict[int, Collective], edge: tuple[int, int], leaving: int, arriving: int) -> Fault:
    """The fault of the end that names the edge more often."""
    start, end = edge
    ends = ((start, end, leaving, "destination"), (end, start, arriving, "source"))
    often, rarely = ends if leaving > arriving else ends[::-1]
    numbers = {event.communicator.number: number for number, event in present.items()}
    mine, theirs = numbers[often[0]], numbers[rarely[0]]
    detail = f"{_naming(*often, other=rarely[2])}, but {_naming(*rarely, other=often[2])}"
    return Fault(Kind.NEIGHBOURS, present[mine], mine, theirs, present[theirs], detail)


def _naming(number: int, neighbour: int, count: int, role: str, other: int) -> str:
    """How often a rank names a neighbour, in words; ``other`` is how often the neighbour names the rank."""
    if not count:
        return f"rank {number} does not name rank {neighbour} as a {role}"
    times = {1: " once", 2: " twice"}.get(count, f" {count} times") if other else ""
    return f"rank {number} names rank {neighbour} as a {role}{times}"
