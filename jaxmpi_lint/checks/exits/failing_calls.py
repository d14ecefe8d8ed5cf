"""Calls of functions that raise an exception for the data of one process, before a collective of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.division import divides
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.call_failures import CallFailures, Failure, is_of_one_process
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, NextCollective
from jaxmpi_lint.checks.base import inner_collective, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class FailingCall:
    """A call that raises on the processes whose data is of a certain kind; the others enter ``ahead``."""

    function: Function
    span: ir.Span
    failure: Failure
    ahead: NextCollective
    kind: str = "data"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """The data may be such that no process raises."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """Why the data differs, where the exception is raised, where the others wait."""
        yield from reason_steps(self.failure.test.reason)
        yield Step(self.failure.module, self.failure.span, "raises the exception, in the called function")
        yield Step(self.function.module, self.ahead.at, f"the others wait here: {self.ahead.title}")
        yield from inner_collective(self.ahead)


def failing_calls(function: Function) -> Iterator[FailingCall]:
    """The calls of a function that raise for the data of one process, before a collective."""
    if not function.any_call_may_communicate or not function.calls_of_functions:
        return
    resort, failures = function.project.get(AbortHandlers), function.project.get(CallFailures)
    seen: set[ir.Span] = set()
    for block, bound, called in function.calls_of_functions:
        span = bound.call.span
        if span in seen or not failures.may_raise(called) or is_expected_to_fail(function.ir, span):
            continue
        seen.add(span)
        if function.project.contexts.at_call(function, bound, block) is None:
            continue  # no argument differs
        for failure in failures.of_call(function, block, bound):
            if failure.is_raise and failure.of_data and _leaves(resort, function, block, span, failure):
                wanted = partial(divides, function, failure.test)
                ahead = MustCollectives(function, wanted).next_after(block, span)
                if ahead is not None:
                    yield FailingCall(function, span, failure, ahead)
                    break


def _leaves(resort: AbortHandlers, function: Function, block: int, span: ir.Span, failure: Failure) -> bool:
    """Whether the exception leaves the function, on one of several processes, and none of the others is told."""
    if is_of_one_process(function, block) or resort.handles(function, block, span) or resort.covers(function):
        return False
    return resort.flow(function).leaves(block, failure.raised, partial(resort.tells, function))
