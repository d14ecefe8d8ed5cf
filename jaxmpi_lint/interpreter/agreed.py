"""Values that a collective gives to all ranks, and what the ranks contributed to those of reductions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol, freeze, reachable
from jaxmpi_lint.interpreter.values import Library

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND, _LEAST = "contributions", "least values"
_MINIMUM = (("str", "call"), ("str", "min"))


def shared(world: World, present: Mapping[int, Collective], *key: object) -> Symbol:
    """A symbol that all ranks have: tags of what they contribute are gone, since the operation equalises."""
    event = next(iter(present.values()))
    found: Symbol = world.symbols.make("shared", event.kind, str(event.extra.get("slot")), *key)
    if event.kind.lower().endswith("reduce"):
        world.notes.setdefault(_FOUND, {})[found] = freeze(tuple(one.payload for one in present.values()))
        if isinstance(event.operator, Library) and event.operator.dotted.endswith(".MIN"):
            world.notes.setdefault(_LEAST, set()).add(found)
    return found


def is_least(world: World, number: Symbol) -> bool:
    """Whether a number is computed from the least of what the ranks have."""
    least: set[Symbol] = world.notes.get(_LEAST, set())
    return any(one in least or one.key[:2] == _MINIMUM for one in reachable(number))


def contributions(world: World) -> Mapping[Symbol, object]:
    """What the ranks contributed to each result of a reduction."""
    found: dict[Symbol, object] = world.notes.get(_FOUND, {})
    return found
