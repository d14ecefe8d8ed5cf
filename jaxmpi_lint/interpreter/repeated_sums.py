"""Counters that keep the sum over all ranks, to which each rank adds more, and that are summed again.

`Allreduce` in place leaves the sum in the counter of every rank. What is counted before is then counted once more by
each rank at the next sum: it grows by the number of ranks each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array, Store
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.same_draws import contribution, is_sum
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_SUMS, _FOUND = "sums over all ranks", "sum that is summed again"
_ADDITION = (("str", "operation"), ("str", "+"))


@dataclass(slots=True)
class Total:
    """The sum that a store holds; ``has_grown`` if something was added to it since."""

    event: Collective
    has_grown: bool = False


def check(world: World, present: dict[int, Collective]) -> None:
    """Record a sum of counters that hold the result of the same call and were added to."""
    number, event = next(iter(sorted(present.items())))
    if len(present) == 1 or not _is_for_all(event):
        return
    totals = [_of_earlier(world, one) for one in present.values()]
    if any(total is None or _at(total) != _at(event) for total in totals):
        return
    other = max(present)
    detail = f"the counter holds the sum of all ranks since the last `{event.label}`, which sums it again"
    world.notes.setdefault(_FOUND, Fault(Kind.REPEATED_SUM, event, number, other, present[other], detail))


def fault(world: World) -> Fault | None:
    """The first sum that `check` has found."""
    found: Fault | None = world.notes.get(_FOUND)
    return found


def sums(world: World) -> dict[Symbol, Collective]:
    """The calls that gave their result to all ranks, by the result."""
    found: dict[Symbol, Collective] = world.notes.setdefault(_SUMS, {})
    return found


def note(world: World, present: dict[int, Collective], values: dict[int, Value]) -> None:
    """Record the result of a sum on each rank."""
    for number, event in present.items() if _is_for_all(next(iter(present.values()))) else ():
        array, value = event.extra.get("receive"), values.get(number)
        if isinstance(array, Array) and array.size == array.store.size:
            array.store.total = Total(event)
        elif isinstance(value, Symbol):
            sums(world)[value] = event


def grow(store: Store, total: object) -> None:
    """Something is added to a store; ``total`` is what it held before."""
    store.total = total
    if isinstance(total, Total):
        total.has_grown = True


def _is_for_all(event: Collective) -> bool:
    return is_sum(event) and "all" in event.kind.lower()


def _of_earlier(world: World, event: Collective) -> Collective | None:
    """The sum that a rank has added something to, and contributes again."""
    value = contribution(event)
    if isinstance(value, Array):
        total = value.store.total if "send" in event.extra.get("in_place", ()) else None
        return total.event if isinstance(total, Total) and total.has_grown else None
    known = sums(world)
    todo, found = [value], None
    while todo:
        term = todo.pop()
        if isinstance(term, Symbol) and term.key[:2] == _ADDITION:
            todo += term.key[2:]
        elif term is not value:
            found = found or known.get(term)
    return found


def _at(event: Collective) -> tuple[str, object]:
    return event.place.module.path, event.place.span
