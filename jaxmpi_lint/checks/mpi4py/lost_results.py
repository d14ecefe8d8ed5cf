"""Pickled communication whose result is dropped although the program goes on as if it had been kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.base import assign_result, reason_steps
from jaxmpi_lint.checks.mpi4py.discarded_results import (
    DiscardedResult,
    discarded_results,
    has_partner,
    is_counter,
    is_of_one_role,
    is_used_as_result,
)
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_GO_ON = {
    "bcast": "every rank but the root goes on",
    "gather": "the root goes on",
    "reduce": "the root goes on",
    "recv": "the receiver goes on",
}


@dataclass(frozen=True, slots=True)
class LostResult:
    """A dropped result that matters: the ``argument`` is used in its place, or the call is ``pointless``."""

    found: DiscardedResult
    argument: ir.Expression
    kind: str = "lost"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.found.function.module, self.found.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the argument visibly differs between the ranks."""
        is_sure = self.kind == "lost" and self.found.sent.content.level.diverges
        return Confidence.HIGH if is_sure else Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The method that returns it."""
        return self.found.operation.method

    @property
    def text(self) -> str:
        """The argument as it is written."""
        return self.found.function.module.source(self.argument.span)

    @property
    def called(self) -> str:
        """What is called, as it is written."""
        return self.found.function.module.source(self.found.bound.call.func.span)

    @property
    def who(self) -> str:
        """The ranks that needed the result, with the verb."""
        return _GO_ON.get(self.method, "every rank goes on")

    def steps(self) -> Iterator[Step]:
        """Why the argument differs, and that it stays as it is."""
        if self.kind == "lost":
            content = self.found.sent.content
            yield from reason_steps(content.reason if content.level.diverges else None)
            message = f"returns the outcome; `{self.text}` keeps its old value"
            yield Step(self.place.module, self.place.span, message)


def lost_results(function: Function) -> Iterator[LostResult]:
    """Each dropped result of a function that matters."""
    for found in discarded_results(function):
        if found.argument is None or isinstance(found.argument, ir.Constant):
            continue
        if found.operation.kind is Kind.RECEIVE:
            if is_used_as_result(found):
                yield LostResult(found, found.argument)
        elif not is_of_one_role(found) and not has_partner(found):
            if _is_missed(found):
                yield LostResult(found, found.argument)
            elif found.operation.method == "allreduce":
                yield LostResult(found, found.argument, "pointless")


def _is_missed(found: DiscardedResult) -> bool:
    """Whether some rank goes on with a value that may be another one than the result."""
    return found.sent.content.level is not Level.UNIFORM and not is_counter(found) and is_used_as_result(found)


def assignment(lost: LostResult) -> Repair | None:
    """The result is assigned to the argument, if that can be assigned to and stands on one line."""
    is_target = isinstance(lost.argument, (ir.Name, ir.Attribute, ir.Subscript)) and "\n" not in lost.text
    return assign_result(lost.found.step.span[0], lost.text) if lost.kind == "lost" and is_target else None
