"""Paths on which a process provably fails before it communicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.absent_values import fails_for_lack_of_a_value
from jaxmpi_lint.analysis.divergence.unbound_names import fails_for_lack_of_a_name

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def fails_before(function: Function, origin: int, start: int, end: int | None) -> bool:
    """Whether a process that continues from the end of block ``origin`` to ``start`` fails before a given place."""
    return any(fails(function, origin, start, end) for fails in (fails_for_lack_of_a_name, fails_for_lack_of_a_value))
