"""Roots and reduction operators of matching calls, which must agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.event_parts import Agreed
    from jaxmpi_lint.analysis.lattice.interfaces import Event


def disagree(left: list[Event], right: list[Event]) -> bool:
    """Whether calls of one operation provably name different roots or reduction operators."""
    return _differ([event.root for event in left], [event.root for event in right]) or _differ(
        [event.reduction for event in left], [event.reduction for event in right]
    )


def _differ(left: list[Agreed], right: list[Agreed]) -> bool:
    return all(one.surely_differs(other) for one in left for other in right)
