"""Shares of items that each rank has put into a different random order: ``order[rank::size]``, or one of equal blocks.

Every rank cuts a different order, so that some items are in several shares and others in none.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.same_draws import seed_places
from jaxmpi_lint.interpreter.sizes import RankCount, RankNumber
from jaxmpi_lint.interpreter.symbols import Symbol, reachable
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND = "share of a random order"
_PARTS = "parts of a random order"
_DRAWN = frozenset({"random"})
_SEEDED = frozenset({"random", "clock"})
_ORDERS = frozenset({"permutation", "permuted", "shuffle", "sample", "choice"})
"""Functions whose result is an order or a selection."""

_PRODUCT = (("str", "operation"), ("str", "*"))

_DETAIL = "the shares of the ranks are cut from different random orders: some items are in two shares, others in none"


def note(rank: Rank, container: Value, index: Value, span: ir.Span) -> None:
    """Record the first share that two ranks cut from different random orders."""
    if not _is_share(rank, index) or _FOUND in rank.world.notes:
        return
    drawn = next((one for one in _content(container) if isinstance(one, Symbol) and one.own == _DRAWN), None)
    if drawn is None or _ORDERS.isdisjoint(drawn.words(2)):
        return
    place = rank.place(span)
    visit = rank.serial(rank.symbol("share", place.module, place.span))
    shares = rank.world.notes.setdefault((_FOUND, place.module.path, place.span, visit), {})
    first = _bounds(index)[0]
    shares[rank.number] = drawn, first
    other = next((number for number, (one, at) in shares.items() if one is not drawn and at != first), None)
    if other is not None:
        rank.world.notes[_FOUND] = Fault(Kind.OWN_SHARE, Access(place, "share"), rank.number, other, detail=_DETAIL)


def note_part(rank: Rank, index: Value, span: ir.Span) -> None:
    """Record that a rank takes elements by a part of a random order, one of those into which it was split."""
    symbol = index.store.symbol if isinstance(index, Array) else index
    match symbol:
        case Symbol(key=(("str", "item"), Symbol() as parts, number)) if _is_dealt(rank, number):
            if "random" in parts.own and parts.own <= _SEEDED and not _ORDERS.isdisjoint(parts.words(2)):
                place = rank.place(span)
                taken = rank.world.notes.setdefault((_PARTS, place.module.path, span), {})
                taken.setdefault(rank.number, (place, {}))[1].setdefault(parts, set()).add(number)


def _is_dealt(rank: Rank, number: object) -> bool:
    """Whether the number of a part is known, or is one of those that a rank takes: ``range(rank, parts, size)``."""
    match number:
        case ("int", _):
            return True
        case Symbol(key=(("str", "item"), Symbol(key=(("str", "range"), ("int", first), _, ("int", step))), _)):
            return bool(first == rank.number and step == rank.world.size)
    return False


def _of_parts(world: World) -> Fault | None:
    """The first place at which two ranks take different parts of different orders: each rank takes some of them."""
    for key, taken in world.notes.items():
        if isinstance(key, tuple) and key[0] == _PARTS:
            for one, other in combinations(sorted(taken), 2):
                (place, mine), (_, theirs) = taken[one], taken[other]
                if mine.keys().isdisjoint(theirs) and _numbers(mine).isdisjoint(_numbers(theirs)):
                    taken_here = (place.module, place.span, "a rank takes some of the parts of its order here")
                    seeds = seed_places(world, reachable(tuple(mine)) - reachable(tuple(theirs)))
                    event = Access(seeds[0], "seed") if seeds else Access(place, "share")
                    return Fault(Kind.OWN_SHARE, event, one, other, detail=_DETAIL, origins=(taken_here,))
    return None


def _numbers(parts: Mapping[Symbol, set[object]]) -> set[object]:
    return set().union(*parts.values())


def _is_share(rank: Rank, index: Value) -> bool:
    """Whether a slice takes every n-th item from the rank on, or a block that begins and ends by the rank."""
    lower, upper, step = _bounds(index)
    if isinstance(lower, Symbol) and isinstance(upper, Symbol) and step is None:
        return lower.key[:2] == _PRODUCT and ("int", rank.number) in lower.key[2:]
    if not isinstance(lower, RankNumber):
        return False
    if step is None:
        return isinstance(upper, RankNumber)
    return isinstance(step, RankCount) and step == rank.world.size


def _bounds(index: Value) -> tuple[Value, Value, Value]:
    """The bounds of a slice; None for other indices."""
    if isinstance(index, SliceValue):
        return index.lower, index.upper, index.step
    return (index.start, index.stop, index.step) if isinstance(index, slice) else (None, None, None)


def fault(world: World) -> Fault | None:
    """The share that `note` has recorded, or the parts."""
    found: Fault | None = world.notes.get(_FOUND)
    return found or _of_parts(world)


def _content(container: Value) -> list[Value]:
    """The first item of a container, or the symbol of all of them."""
    if isinstance(container, Array):
        return [container.store.symbol] if container.cells is None else container.cells[:1]
    return container[:1] if isinstance(container, list) else [container]
