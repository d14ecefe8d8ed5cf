"""What the settings of a program have to say for a place to be reached; some places exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.assumptions import positive_form
from jaxmpi_lint.analysis.lasting import LastingTests
from jaxmpi_lint.analysis.roles import guards

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.function import FunctionModel

Outcome = tuple[str, str, bool]
"""What is tested, the constant that it is compared with (empty: its truth), and how the test comes out."""


def choices(function: FunctionModel, block: int) -> frozenset[Outcome]:
    """The outcomes of tests of settings without which a block is not reached."""
    tests = LastingTests(function)
    return frozenset(
        _outcome(function, guard.branch.test, guard.truth)
        for guard in guards(function, block)
        if not guard.test.content.level.diverges and tests.lasts(guard.branch.test)
    )


def exclude(one: frozenset[Outcome], other: frozenset[Outcome]) -> bool:
    """Whether one place is reached with other settings than the other."""
    return any(
        tested == again and (truth != outcome if value == constant else truth and outcome)
        for tested, value, truth in one
        for again, constant, outcome in other
    )


def _outcome(function: FunctionModel, test: ir.Expression, truth: bool) -> Outcome:
    while isinstance(test, ir.UnaryOperation) and test.operator == "not":
        test, truth = test.operand, not truth
    text, is_positive = positive_form(function, test)
    if isinstance(test, ir.Comparison) and test.operators in (("==",), ("!=",)):
        tested, constant = test.operands
        if isinstance(constant, ir.Constant):
            name = " ".join(function.module.source(tested.span).split())
            return name, repr(constant.value), truth == is_positive
    return text, "", truth == is_positive
