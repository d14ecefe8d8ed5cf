"""Updates of the memory of a window that ranks make at the same time: each gets a value and puts a new one back.

A shared lock lets several ranks in, and nothing orders their `Get` and `Put` (MPI 4.1, section 12.7): one update of two
is lost. `Accumulate`, `Fetch_and_op` and `Compare_and_swap` are atomic, and programs build locks from the last two.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.events import Event
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World
    from jaxmpi_lint.interpreter.windows import Window

MAX_UPDATES = 200
"""Updates of one world that are compared."""

_LOCKING = ("Fetch_and_op", "Compare_and_swap", "Get_accumulate")


@dataclass(frozen=True, slots=True)
class Update:
    """A `Put` to a place that the rank has read under the same shared lock: ``place`` is target and displacement."""

    event: Event
    rank: int
    window: int
    place: tuple[int, int]
    clock: tuple[int, ...]


@dataclass(slots=True)
class Updates:
    """The updates of one world; ``is_unknown`` if ranks may take turns by atomic operations."""

    made: list[Update]
    is_unknown: bool = False


def note(rank: Rank, window: Window, name: str, event: Event, target: int | None, given: Value) -> None:
    """Record an operation of a rank on a window; ``given`` is its argument for the place at the target."""
    updates = _updates(rank.world)
    if name in _LOCKING:
        updates.is_unknown = True
    at = _displacement(given)
    if target is None or at is None or not window.is_shared(target):
        return
    if name == "Get":
        window.read.add((target, at))
    elif name == "Put" and (target, at) in window.read:
        clock = rank.world.accesses.tick(rank.number)
        updates.made.append(Update(event, rank.number, window.communicator.identity, (target, at), clock))


def _updates(world: World) -> Updates:
    found: Updates = world.notes.setdefault("updates of windows", Updates([]))
    return found


def _displacement(given: Value) -> int | None:
    """Where an operation begins at its target; None if it is not known."""
    if isinstance(given, (list, tuple)) and given:
        given = given[0]
    if given is None:
        return 0
    return int(given) if isinstance(given, int) and not isinstance(given, bool) else None


def fault(world: World) -> Fault | None:
    """The first two updates of one place by different ranks that nothing orders."""
    updates = _updates(world)
    if updates.is_unknown or world.accesses.is_unknown or world.opaque or len(updates.made) > MAX_UPDATES:
        return None
    for one, other in combinations(updates.made, 2):
        is_same = (one.window, one.place) == (other.window, other.place) and one.rank != other.rank
        if is_same and _are_concurrent(one, other):
            who = f"rank {one.rank} and rank {other.rank}"
            detail = f"{who} get a value of rank {one.place[0]} and put a new one back under shared locks"
            detail += ": one of two such updates may be lost"
            return Fault(Kind.LOST_UPDATE, one.event, one.rank, other.rank, other.event, detail)
    return None


def _are_concurrent(one: Update, other: Update) -> bool:
    is_before = other.clock[one.rank] >= one.clock[one.rank]
    return not is_before and one.clock[other.rank] < other.clock[other.rank]
