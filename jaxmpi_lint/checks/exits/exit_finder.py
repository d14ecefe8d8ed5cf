"""Pipeline for divergent exits: the exits of a function, the roles that may take them, the exemptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption, Stage, ruling
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.checks.collectives.guard_files import GuardFile, GuardFiles
from jaxmpi_lint.checks.exits.divergent_exits import Condition, DivergentExit, DivergentExits
from jaxmpi_lint.checks.exits.exit_candidates import ExitCandidate, RoleCandidate
from jaxmpi_lint.checks.exits.exit_exemptions import (
    OF_THE_CONDITIONS,
    OF_THE_EXIT,
    OF_THE_PROGRAM,
    OF_THE_ROLE,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.trace import Trace


class ExitFinder:
    """Finds the divergent exits of one function; ``trace`` records the stages of each exit."""

    def __init__(self, function: Function, resort: AbortHandlers, trace: Trace | None = None) -> None:
        self._function = function
        self._resort = resort
        self._exits = DivergentExits(function, resort)
        self._trace = trace

    def find(self) -> Iterator[DivergentExit]:
        """Every divergent exit, one for each place."""
        if not self._exits.has_roles() and self._trace is None:
            return
        candidates = [ExitCandidate(self._exits, left) for left in (*self._exits.exits(), *self._exits.calls())]
        for candidate in [c for c in candidates if not self._is_exempt(OF_THE_EXIT, c, c)]:
            found = self._examined(candidate)
            if found is not None:
                yield found.divergent_exit

    def late(self) -> Iterator[tuple[ir.Span, GuardFile]]:
        """Places where a slower process raises because it finds a file that a faster one has just created."""
        summaries = self._function.project.summaries
        if not self._function.any_call_may_communicate and summaries.implicit_calls(self._function) is None:
            return
        for found in GuardFiles(self._function, self._exits.flow).find():
            for left in self._exits.exits():
                is_there = left.block == found.present and left.kind == "raise"
                is_meant = is_there and ruling(OF_THE_EXIT, ExitCandidate(self._exits, left)).is_silent
                if is_there and not is_meant and not self._resort.covers(self._function):
                    yield left.span, found

    def _examined(self, candidate: ExitCandidate) -> RoleCandidate | None:
        """The role that may exit alone while the others wait."""
        if self._trace is not None:
            self._trace.record(candidate.subject, [_conditions_stage(candidate)])
        if self._is_exempt(OF_THE_CONDITIONS, candidate, candidate):
            return None
        for role in (RoleCandidate(candidate, condition) for condition in candidate.roles):
            if self._trace is not None:
                self._trace.record(candidate.subject, _role_stages(role))
            if not self._is_exempt(OF_THE_ROLE, role, candidate):
                if self._is_exempt(OF_THE_PROGRAM, role, candidate):
                    return None
                if self._trace is not None:
                    self._trace.record(candidate.subject, [_reported(role)])
                return role
        return None

    def _is_exempt(self, asked: Sequence[Exemption[Any]], candidate: object, of: ExitCandidate) -> bool:
        found = ruling(asked, candidate)
        if self._trace is not None:
            self._trace.record(of.subject, found.stages())
        return found.is_silent


def _conditions_stage(candidate: ExitCandidate) -> Stage:
    """The tests that guard an exit."""
    held = tuple(_condition(candidate.function, condition) for condition in candidate.conditions)
    return Stage("reached if", "all of these hold" if held else "the function is called", held)


def _condition(function: Function, condition: Condition) -> Evidence:
    text = " ".join(function.module.source(condition.part.span).split())
    holds = "holds" if condition.truth else "does not hold"
    return Evidence(f"`{text}` {holds} ({condition.test.level})", Place(function.module, condition.branch.span))


def _role_stages(candidate: RoleCandidate) -> Iterator[Stage]:
    """The role that may exit, and the collective that the others reach."""
    reason = candidate.role.test.reason
    chain = reason.chain() if reason is not None else []
    evidence = tuple(Evidence(link.message, Place(link.module, link.span)) for link in chain)
    text = " ".join(candidate.function.module.source(candidate.role.part.span).split())
    yield Stage("role", f"processes where `{text}` {'holds' if candidate.role.truth else 'does not hold'}", evidence)
    if candidate.ahead is not None:
        place = Place(candidate.ahead.module, candidate.ahead.span)
        yield Stage("the others", "must reach a collective", (Evidence(candidate.ahead.title, place),))
    else:
        yield Stage("the others", "need not reach a collective that the role skips")


def _reported(candidate: RoleCandidate) -> Stage:
    place = Place(candidate.function.module, candidate.left.span)
    return Stage("result", "reported", (Evidence("only one role exits here", place),), code="JM103")


class ExitTracer:
    """Traces of JM103: the exits in a file."""

    exemptions: tuple[Exemption[Any], ...] = (*OF_THE_EXIT, *OF_THE_CONDITIONS, *OF_THE_ROLE, *OF_THE_PROGRAM)

    def record(self, function: Function, trace: Trace) -> None:
        """Run the analysis on a function, and on its calling contexts."""
        for run in (function, *function.project.contexts.of(function)):
            for _ in ExitFinder(run, function.project.get(AbortHandlers), trace).find():
                pass

    def subjects(self, module: Module, row: int) -> tuple[list[tuple[Function, ir.Span]], str]:
        """The exits on a line."""
        found = []
        for function in module.functions():
            for left in DivergentExits(function, function.project.get(AbortHandlers)).exits():
                first, last = (module.ir.position(offset)[0] for offset in left.span)
                if first <= row <= last:
                    found.append((function, left.span))
        return found, f"line {row} has no reachable `raise`, `assert` or exit"
