"""Paths on which a process provably fails before it communicates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.divergence.absent_values import fails_for_lack_of_a_value
from jaxmpi_lint.analysis.divergence.candidates import Candidate
from jaxmpi_lint.analysis.divergence.unbound_names import fails_for_lack_of_a_name
from jaxmpi_lint.analysis.lattice.trace import Evidence

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def fails_before(function: Function, origin: int, start: int, end: int | None) -> bool:
    """Whether a process that continues from the end of block ``origin`` to ``start`` fails before a given place."""
    return any(fails(function, origin, start, end) for fails in (fails_for_lack_of_a_name, fails_for_lack_of_a_value))


def fails_first(candidate: Candidate) -> Evidence | None:
    """The side that makes the call comes to an unbound name first, or to None where it needs a value."""
    difference, branch = candidate.difference, candidate.branch
    assert difference is not None
    for start, events in ((branch.when_true, difference.left), (branch.when_false, difference.right)):
        end = min((event.span[0] for event in events), default=None)
        if end is not None and fails_before(candidate.function, candidate.block, start, end):
            return candidate.at_branch("the side that makes the call fails before it: a name is unbound, or None")
    return None
