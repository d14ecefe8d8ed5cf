"""Values that a collective gives to all ranks, and what the ranks contributed to those of reductions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.symbols import Symbol, freeze

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_FOUND = "contributions"


def shared(world: World, present: Mapping[int, Collective], *key: object) -> Symbol:
    """A symbol that all ranks have: tags of what they contribute are gone, since the operation equalises."""
    event = next(iter(present.values()))
    found: Symbol = world.symbols.make("shared", event.kind, str(event.extra.get("slot")), *key)
    if event.kind.lower().endswith("reduce"):
        world.notes.setdefault(_FOUND, {})[found] = freeze(tuple(one.payload for one in present.values()))
    return found


def contributions(world: World) -> Mapping[Symbol, object]:
    """What the ranks contributed to each result of a reduction."""
    found: dict[Symbol, object] = world.notes.get(_FOUND, {})
    return found
