"""Sums over all ranks that the ranks sum once more, as they are: the result is too large by their number.

The two sums may lie far apart, in a method that keeps its sum in a field and in its caller. A program that divides the
second sum by the number of ranks, or compares it, sums equal values on purpose.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter import repeated_sums
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.same_draws import contribution, is_sum
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND = "sums of sums"
_DIVISIONS = frozenset({"/", "//"})
_ON_PURPOSE = frozenset({"==", "!=", "isclose", "allclose", "assert_allclose", "assert_equal", "assert_almost_equal"})


def note(world: World, present: dict[int, Collective], values: dict[int, Value]) -> None:
    """Record a sum of what is, on all ranks, the result of one earlier sum of the same ranks."""
    number, event = next(iter(sorted(present.items())))
    if len(present) == 1 or not is_sum(event):
        return
    value = contribution(event)
    earlier = repeated_sums.sums(world).get(value) if isinstance(value, Symbol) else None
    is_alike = all(contribution(one) is value for one in present.values())
    if earlier is None or not is_alike or earlier.communicator.members != event.communicator.members:
        return
    other = max(present)
    place = f"line {earlier.place.row}"
    if earlier.place.module.path != event.place.module.path:
        place += f" of {PurePath(earlier.place.module.path).name}"
    detail = f"{place} has summed this over all ranks already, and `{event.label}` sums it again"
    found = Fault(Kind.REPEATED_SUM, event, number, other, present[other], detail)
    results = [one for one in values.values() if isinstance(one, Symbol)]
    world.notes.setdefault(_FOUND, []).append((found, results, len(present)))


def fault(world: World) -> Fault | None:
    """The first recorded sum whose result is used as it is."""
    for found, results, size in world.notes.get(_FOUND, ()):
        if results and not any(_is_meant(world, result, size) for result in results):
            first: Fault = found
            return first
    return None


def _is_meant(world: World, result: Symbol, size: int) -> bool:
    """Whether a program divides a sum of equal values by their number, or compares it."""
    counts = {freeze(size), freeze(float(size))}
    for user in world.symbols.users(result):
        words = user.words(0)
        if words & _ON_PURPOSE or (words & _DIVISIONS and not counts.isdisjoint(user.key)):
            return True
    return False
