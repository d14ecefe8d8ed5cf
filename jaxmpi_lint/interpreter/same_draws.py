"""Random numbers that are the same on all ranks, and yet are summed over the ranks as if each had drawn different ones.

A sum of equal contributions is a multiple of one of them: more ranks add no samples, and an error bar that is computed
from all of them is too small. Only contributions that are computed alike on all ranks count.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import agreed
from jaxmpi_lint.interpreter.events import Access, Collective, Place
from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.values import Library, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SUMS = frozenset({"reduce", "allreduce"})
_ROLES = re.compile(r"rank|proc|node|worker|shard|local", re.IGNORECASE)
_LENGTHS = frozenset({"length", "shape", "size", "ndim", "filled"})
"""Operations that take nothing from the elements of an array."""

_HIDING = (("value",), ("generator",))
_SEEDINGS, _FOUND = "places of seeds", "draws that are the same"


def seeded(rank: Rank, state: Symbol) -> Symbol:
    """The state of a generator; the place where a rank gives it its seed is kept."""
    if rank.frames:
        places = rank.world.notes.setdefault(_SEEDINGS, {}).setdefault(state, {})
        places.setdefault(rank.number, rank.place(rank.state["span"]))
    return state


def note(world: World, present: dict[int, Collective]) -> None:
    """Record the first sum over ranks whose contributions are the same random numbers."""
    if _FOUND in world.notes or len(present) == 1 or not is_sum(next(iter(present.values()))):
        return
    contributions = tuple({freeze(contribution(event)) for event in present.values()})
    if len(contributions) > 1:
        return
    symbols = reachable(contributions, _LENGTHS)
    places = seed_places(world, symbols, set(present))
    if not symbols.isdisjoint(agreed.contributions(world)):
        return  # what all ranks have made together, such as trained parameters, on data that all draw alike on purpose
    if not places or _takes_other_seeds(world, places[0], set(present)):
        return
    if not any(map(_may_differ, symbols)) and not _hides(contributions):
        number, event = next(iter(sorted(present.items())))
        other = max(present)
        detail = f"all ranks draw the same random numbers, which `{event.label}` then sums"
        seed = Access(places[0], "seed")
        world.notes[_FOUND] = Fault(Kind.SAME_DRAWS, seed, number, other, present[other], detail)


def seed_places(world: World, symbols: set[Symbol], by: Set[int] = frozenset()) -> list[Place]:
    """Where the generators got their seeds from which values are drawn: those with a generator on all given ranks.

    A rank that gets what one rank has drawn from it, by a broadcast, has no such generator itself.
    """
    seedings: dict[Symbol, dict[int, Place]] = world.notes.get(_SEEDINGS, {})
    found = sorted(symbols & seedings.keys(), key=lambda one: one.number)
    return [next(iter(seedings[one].values())) for one in found if by <= seedings[one].keys()]


def _takes_other_seeds(world: World, place: Place, all_ranks: Set[int]) -> bool:
    """Whether a generator that is made at the same place has a seed of one rank: the equal ones are equal on purpose.

    Such as for the data with which all ranks validate, beside those with which each rank trains.
    """
    seedings: dict[Symbol, dict[int, Place]] = world.notes.get(_SEEDINGS, {})
    own = (next(iter(places.values())) for places in seedings.values() if not all_ranks <= places.keys())
    return any((one.module, one.span) == (place.module, place.span) for one in own)


def fault(world: World) -> Fault | None:
    """The sum that `note` has recorded."""
    found: Fault | None = world.notes.get(_FOUND)
    return found


def is_sum(event: Collective) -> bool:
    """Whether a collective sums what the ranks contribute."""
    operator = event.operator
    is_plain = operator is None or (isinstance(operator, Library) and operator.dotted.endswith(".SUM"))
    return is_plain and event.kind.lower().removeprefix("i") in _SUMS


def contribution(event: Collective) -> Value:
    """What a rank adds to the sum."""
    return event.payload if event.payload is not None else event.extra.get("send")


def _may_differ(symbol: Symbol) -> bool:
    """Whether a value may differ between ranks after all: an unknown call made it, or its name is that of a share."""
    return symbol.is_guess or _hides(symbol.key) or any(map(_ROLES.search, symbol.words(0)))


def _hides(frozen: object) -> bool:
    """Whether a description leaves out a part of the value."""
    if isinstance(frozen, tuple):
        return frozen[:1] in _HIDING or (frozen[:1] == ("object",) and len(frozen) == 2) or any(map(_hides, frozen))
    return frozen == "deep"
