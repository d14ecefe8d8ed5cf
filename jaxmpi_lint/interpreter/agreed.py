"""Values that a collective gives to all ranks, and what the ranks contributed to those of reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.values import Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND, _LEAST = "contributions", "least values"
_EXTREMES: Mapping[str, Callable[[Iterable[int]], int]] = {"MAX": max, "MIN": min}
_MINIMUM = (("str", "call"), ("str", "min"))


def shared(world: World, present: Mapping[int, Collective], *key: object) -> Symbol:
    """A symbol that all ranks have: tags of what they contribute are gone, since the operation equalises."""
    event = next(iter(present.values()))
    found: Symbol = world.symbols.make("shared", event.kind, str(event.extra.get("slot")), *key)
    if event.kind.lower().endswith("reduce"):
        world.notes.setdefault(_FOUND, {})[found] = freeze(tuple(one.payload for one in present.values()))
        operator = event.operator.dotted if isinstance(event.operator, Library) else ""
        if operator.endswith(".MIN"):
            world.notes.setdefault(_LEAST, set()).add(found)
        extreme = _EXTREMES.get(operator.rpartition(".")[2])
        counts = [_count(world, one.payload) for one in present.values()] if extreme is not None else []
        known = [count for count in counts if count is not None]
        if extreme is not None and len(known) == len(counts):
            world.decisions.chosen_lengths.equals(found, extreme(known))
    return found


def _count(world: World, contributed: Value) -> int | None:
    """A number of items that a rank contributes, if it is known in this world."""
    if isinstance(contributed, int):
        return contributed
    return world.decisions.count(contributed) if isinstance(contributed, Symbol) else None


def is_least(world: World, number: Symbol) -> bool:
    """Whether a number is computed from the least of what the ranks have."""
    least: set[Symbol] = world.notes.get(_LEAST, set())
    return any(one in least or one.key[:2] == _MINIMUM for one in reachable(number))


def contributions(world: World) -> Mapping[Symbol, object]:
    """What the ranks contributed to each result of a reduction."""
    found: dict[Symbol, object] = world.notes.get(_FOUND, {})
    return found
