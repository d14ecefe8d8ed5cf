"""Settings of a program that are required to reach a block; some blocks exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.invariant_tests import LastingTests
from jaxmpi_lint.analysis.conditions.guards import guards_of_all_ways
from jaxmpi_lint.analysis.conditions.rank_facts import positive_form

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

Outcome = tuple[str, str, bool]
"""The tested expression, the constant that it is compared with (empty: its truth), and the outcome of the test."""


def choices(function: Function, block: int) -> frozenset[Outcome]:
    """The outcomes of tests of settings that are required to reach a block."""
    tests = LastingTests(function)
    return frozenset(
        _outcome(function, guard.branch.test, guard.truth)
        for guard in guards_of_all_ways(function, block)
        if not guard.test.content.level.diverges and tests.lasts(guard.branch.test)
    )


def choices_of_call(function: Function, span: ir.Span) -> frozenset[Outcome]:
    """The outcomes with which a communicator is passed to a call, as in ``run(comm if parallel else None)``."""
    tests = LastingTests(function)
    calls = [call for call in function.ir.calls() if call.span == span]
    return frozenset(
        _outcome(function, argument.value.test, ir.is_none(argument.value.orelse))
        for call in calls
        for argument in call.args
        if isinstance(argument.value, ir.Conditional) and tests.lasts(argument.value.test)
        if ir.is_none(argument.value.orelse) != ir.is_none(argument.value.body)
    )


def exclude(one: frozenset[Outcome], other: frozenset[Outcome]) -> bool:
    """Whether two blocks are reached under different settings."""
    return any(
        tested == again and (truth != outcome if value == constant else truth and outcome)
        for tested, value, truth in one
        for again, constant, outcome in other
    )


def settles(function: Function, chosen: frozenset[Outcome], test: ir.Expression) -> bool | None:
    """The outcome of a test under certain settings, if they determine it."""
    tested, value, positive = _outcome(function, test, True)
    for again, constant, outcome in chosen:
        if tested == again and value == constant:
            return positive == outcome
        if tested == again and outcome and "" not in (value, constant):
            return not positive
    return None


def _outcome(function: Function, test: ir.Expression, truth: bool) -> Outcome:
    test, truth = ir.strip_not(test, truth)
    text, is_positive = positive_form(function, test)
    if isinstance(test, ir.Comparison) and test.operators in (("==",), ("!=",)):
        tested, constant = test.operands
        if isinstance(constant, ir.Constant):
            name = function.module.line(tested.span)
            return name, repr(constant.value), truth == is_positive
    return text, "", truth == is_positive
