"""Lone exits told line by line: who leaves, what else this role comes to, and where the others wait."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.must_collectives import NextCollective
from jaxmpi_lint.checks.base import inner_collective, reason_steps
from jaxmpi_lint.checks.collectives.guard_files import GuardFile
from jaxmpi_lint.checks.exits.asserted_input import checks_input
from jaxmpi_lint.checks.exits.divergent_exits import DivergentExit
from jaxmpi_lint.checks.exits.exit_finder import ExitFinder
from jaxmpi_lint.checks.exits.exit_groups import divergent_exit_groups
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Span, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SHOWN = 3
"""Further exits of one finding that are shown."""

_VERBS = {"raise": "raise here", "assert": "fail in this assertion", "exit": "exit here"}


@dataclass(frozen=True, slots=True)
class LoneFailure:
    """The exits of one role for which the others wait in one place, the first one apart."""

    left: DivergentExit
    others: tuple[DivergentExit, ...]
    kind: str = "alone"

    @property
    def place(self) -> Place:
        """The first exit."""
        return Place(self.left.function.module, self.left.span)

    @property
    def confidence(self) -> Confidence:
        """High where the rank itself is tested, in the function that the others go on in."""
        left = self.left
        if not left.is_by_rank or (left.kind == "assert" and not checks_input(left.function, left.span)):
            return Confidence.LOW
        reason = left.role.test.reason
        direct = reason is not None and len(reason.chain()) <= 1 and left.caller is None
        return Confidence.HIGH if direct and left.kind != "assert" else Confidence.MEDIUM

    @property
    def ahead(self) -> NextCollective:
        """What the others wait in."""
        return self.left.ahead

    @property
    def who(self) -> str:
        """The processes that leave."""
        left = self.left
        if left.fact is not None:
            return f"rank {left.fact.number}" if left.fact.equal else f"the ranks other than {left.fact.number}"
        text = left.function.module.line(left.role.part.span)
        return f"processes where `{text}` {'holds' if left.role.truth else 'does not hold'}"

    @property
    def fails(self) -> str:
        """How they leave."""
        return _VERBS[self.left.kind]

    def steps(self) -> Iterator[Step]:
        """Who takes the way to the exits, and where the others are then."""
        module = self.left.function.module
        yield from self._role()
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
        yield Step(module, role.branch.span, f"only {self.who} {takes} this way")
        if further is not None and further.branch.span not in (role.branch.span, self.left.span):
            yield Step(module, further.branch.span, "decides whether the exception is raised")

    def _also(self) -> list[str]:
        """What is said of the further exits that are shown."""
        told = [f"can {_VERBS[other.kind]} as well" for other in self.others[:_SHOWN]]
        if len(self.others) > _SHOWN:
            told[-1] += f", and in {len(self.others) - _SHOWN} more"
        return told


@dataclass(frozen=True, slots=True)
class LateFailure:
    """A `raise` where a process finds the file that another one has made: the last to ask raises alone."""

    span: Span
    race: GuardFile
    kind: str = "late"

    @property
    def place(self) -> Place:
        """The `raise`."""
        return Place(self.race.function.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """High where the file is surely made."""
        return Confidence.HIGH if self.race.certain else Confidence.LOW

    @property
    def ahead(self) -> NextCollective:
        """What the others wait in."""
        return self.race.ahead

    @property
    def question(self) -> str:
        """The call that asks for the file, as it is written."""
        return self.race.question

    def steps(self) -> Iterator[Step]:
        """Where the file is asked for and made, and where the others wait."""
        module, race = self.place.module, self.race
        yield Step(module, race.asked.span, "processes that are late find what another one has made")
        yield Step(module, race.made.span, "makes it, before the others need have asked")
        yield Step(module, race.ahead.at, f"the others wait here: {race.ahead.title}")


def lone_failures(function: Function) -> Iterator[LoneFailure | LateFailure]:
    """One for each role that fails alone and each place where the others wait for it."""
    for first, *others in divergent_exit_groups(function.project, function):
        yield LoneFailure(first, tuple(others))
    for span, race in ExitFinder(function, function.project.get(AbortHandlers)).late():
        yield LateFailure(span, race)
