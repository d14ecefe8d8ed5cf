"""Steps and messages for divergent exits: the role that exits, its other exits, where the others wait."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.must_collectives import NextCollective
from jaxmpi_lint.analysis.uniformity.collected_lengths import COLLECTED
from jaxmpi_lint.checks.base import inner_collective, reason_steps
from jaxmpi_lint.checks.collectives.guard_files import GuardFile
from jaxmpi_lint.checks.exits.asserted_input import checks_input
from jaxmpi_lint.checks.exits.divergent_exits import DivergentExit
from jaxmpi_lint.checks.exits.exit_finder import ExitFinder
from jaxmpi_lint.checks.exits.exit_groups import divergent_exit_groups
from jaxmpi_lint.checks.exits.failing_calls import FailingCall, failing_calls
from jaxmpi_lint.checks.exits.own_shapes import is_of_own_shape
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Span, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SHOWN = 3
"""The number of further exits shown in one finding."""

_VERBS = {"raise": "raise here", "assert": "fail this assertion", "exit": "exit here", "call": "raise in this call"}


@dataclass(frozen=True, slots=True)
class LoneFailure:
    """The exits of one role for which the others wait in one place; the first one is separate."""

    left: DivergentExit
    others: tuple[DivergentExit, ...]
    kind: str = "alone"

    @property
    def place(self) -> Place:
        """The first exit."""
        return Place(self.left.function.module, self.left.span)

    @property
    def confidence(self) -> Confidence:
        """High if the rank itself is tested, in the function in which the others continue."""
        left = self.left
        if left.of_data and left.kind != "assert":
            checks_length = left.role.test.tells(COLLECTED)  # as does a check of the input, which all may pass
            return Confidence.LOW if checks_length else Confidence.MEDIUM
        if not left.is_by_rank or (left.kind == "assert" and not checks_input(left.function, left.span)):
            return Confidence.LOW
        if left.further is not None and is_of_own_shape(left.function, left.further.part):
            return Confidence.LOW
        reason = left.role.test.reason
        direct = reason is not None and len(reason.chain()) <= 1 and left.caller is None
        return Confidence.HIGH if direct and left.kind not in ("assert", "call") else Confidence.MEDIUM

    @property
    def ahead(self) -> NextCollective:
        """The collective in which the others wait."""
        return self.left.ahead

    @property
    def who(self) -> str:
        """The processes that exit."""
        left = self.left
        if left.fact is not None:
            return f"rank {left.fact.number}" if left.fact.equal else f"the ranks other than {left.fact.number}"
        text = left.function.module.line(left.role.part.span)
        return f"processes where `{text}` {'holds' if left.role.truth else 'does not hold'}"

    @property
    def fails(self) -> str:
        """How they exit."""
        return _VERBS[self.left.kind]

    def steps(self) -> Iterator[Step]:
        """The tests that lead to the exits, and the place where the others wait."""
        module = self.left.function.module
        yield from self._role()
        if self.left.inner is not None:
            yield Step(self.left.inner.module, self.left.inner.span, "raises the exception, in the called function")
        for other, message in zip(self.others, self._also(), strict=False):
            yield Step(module, other.span, message)
        if self.left.caller is not None:
            module = self.left.caller.caller.module
            yield Step(module, self.left.caller.span, "every rank calls the function here")
        yield Step(module, self.ahead.at, f"the others wait here: {self.ahead.title}")
        yield from inner_collective(self.ahead)

    def _role(self) -> Iterator[Step]:
        module, role, further = self.left.function.module, self.left.role, self.left.further
        yield from reason_steps(role.test.reason)
        takes = "takes" if self.who.startswith("rank ") else "take"
        yield Step(module, role.branch.span, f"only {self.who} {takes} this branch")
        if further is not None and self._decides(further.branch):
            yield Step(module, further.branch.span, "decides whether the exception is raised")

    def _decides(self, branch: ir.Branch) -> bool:
        """Whether a further branch is shown: one inside of that of the role or around the exit, not an earlier exit."""
        begin, end = self.left.span
        is_around = branch.extent[0] <= begin and end <= branch.extent[1]
        return branch.span not in (self.left.role.branch.span, self.left.span) and (
            branch.span > self.left.role.branch.span or is_around
        )

    def _also(self) -> list[str]:
        """The messages for the further exits that are shown."""
        messages = [f"can also {_VERBS[other.kind]}" for other in self.others[:_SHOWN]]
        if len(self.others) > _SHOWN:
            messages[-1] += f" ({len(self.others) - _SHOWN} more not shown)"
        return messages


@dataclass(frozen=True, slots=True)
class LateFailure:
    """A `raise` if a process finds a file that a faster one has created: the last to test raises alone."""

    span: Span
    race: GuardFile
    kind: str = "late"

    @property
    def place(self) -> Place:
        """The `raise`."""
        return Place(self.race.function.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """High if the file is provably created."""
        return Confidence.HIGH if self.race.certain else Confidence.LOW

    @property
    def ahead(self) -> NextCollective:
        """The collective in which the others wait."""
        return self.race.ahead

    @property
    def question(self) -> str:
        """The call that tests for the file, as written."""
        return self.race.question

    def steps(self) -> Iterator[Step]:
        """The test for the file, its creation, and where the others wait."""
        module, race = self.place.module, self.race
        yield Step(module, race.asked.span, "slower processes find the file that a faster one has created")
        yield Step(module, race.made.span, "creates it, possibly before the other processes have tested")
        yield Step(module, race.ahead.at, f"the others wait here: {race.ahead.title}")


def lone_failures(function: Function) -> Iterator[LoneFailure | LateFailure | FailingCall]:
    """One for each role that fails alone and each place where the others wait for it."""
    for first, *others in divergent_exit_groups(function.project, function):
        yield LoneFailure(first, tuple(others))
    for span, race in ExitFinder(function, function.project.get(AbortHandlers)).late():
        yield LateFailure(span, race)
    yield from failing_calls(function)
