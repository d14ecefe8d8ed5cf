"""Conditions of branches."""

from __future__ import annotations

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import ResultOf, Uniformity, Value
from jaxmpi_lint.analysis.lattice.value_queries import TEXT


def without_not(test: ir.Expression) -> ir.Expression:
    """The test inside of every ``not``."""
    return ir.strip_not(test)[0]


def matches_anything(branch: ir.Branch) -> bool:
    """``case _``."""
    return isinstance(branch.test, ir.Matches) and branch.test.irrefutable


def repeats(branch: ir.Branch) -> bool:
    """Whether a branch decides about a further iteration; the filter of a comprehension does not."""
    return branch.kind in ("for", "while") or (branch.kind == "comprehension" and isinstance(branch.test, ir.Element))


def deciding_facet(branch: ir.Branch, test: Value) -> Uniformity:
    """The facet of the test's value that decides.

    For a loop it is the number of elements, for a string its noneness, otherwise the content.
    """
    if isinstance(test.entity, ResultOf) and test.entity.operation == TEXT:
        return test.noneness
    return (
        test.structure
        if branch.kind in ("for", "comprehension") and isinstance(branch.test, ir.Element)
        else (test.content)
    )
