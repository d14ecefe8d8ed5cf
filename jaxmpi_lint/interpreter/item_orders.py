"""Collectives that ranks make in the order of the items of a set, which differs between processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.variations import PLACE_OF_ORDER
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_OF_CALLS = frozenset({Kind.OPERATOR, Kind.MISMATCH, Kind.COUNT, Kind.DTYPE, Kind.ROOT, Kind.LIST_LENGTH})


def attribute(fault: Fault, world: World) -> None:
    """Make a fault one of the order of a set, if no branch parts the ranks and one has met the items the other way."""
    if fault.kind not in _OF_CALLS or fault.cause is not None or PLACE_OF_ORDER not in world.notes:
        return
    tag, place = world.notes[PLACE_OF_ORDER]
    if tag == "hash":
        fault.kind = Kind.ITEM_ORDER
        fault.origins = ((place.module, place.span, "the order of this set differs between processes"),)
