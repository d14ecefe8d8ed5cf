"""Collectives in a ``try`` that a process skips if earlier work fails on it and the handler continues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, NextCollective
from jaxmpi_lint.analysis.participation.try_statements import Tried, Work, header, spelling
from jaxmpi_lint.checks.base import inner_collective
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class SkippedCollective:
    """A collective, the earlier work that may fail on one process, and the handler that swallows the failure."""

    function: Function
    ahead: NextCollective
    work: Work
    handler: ir.Handler

    @property
    def place(self) -> Place:
        """The collective, or the call that performs it."""
        return Place(self.function.module, self.ahead.at)

    @property
    def confidence(self) -> Confidence:
        """High if each process provably works on different data."""
        return Confidence.HIGH if self.work.own else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """What may fail, the handler, the collective."""
        module, work = self.function.module, self.work
        yield Step(module, work.span, f"`{work.text}` may fail on one process and succeed on the others")
        message = "that process enters this handler and continues without the collective"
        yield Step(module, header(self.handler), message)
        yield from inner_collective(self.ahead)


def skipped_collectives(function: Function) -> Iterator[SkippedCollective]:
    """The first such collective of each ``try`` of a function."""
    return SkippedCollectives(function, function.project.get(AbortHandlers)).find()


class SkippedCollectives:
    """Finds the skipped collectives in one function."""

    def __init__(self, function: Function, resort: AbortHandlers) -> None:
        self._function = function
        self._resort = resort
        self._flow = resort.flow(function)

    def find(self) -> Iterator[SkippedCollective]:
        """One for each ``try``, at the first collective that may be skipped."""
        for step in self._flow.tries:
            tried = Tried(self._function, step, self._resort)
            collectives = [*tried.collectives(step.body), *tried.collectives(step.orelse)]
            found = [skipped for ahead in collectives for skipped in self._skipped(tried, ahead)]
            if found:
                yield min(found, key=lambda skipped: (skipped.ahead.at, skipped.work.span))

    def _skipped(self, tried: Tried, ahead: NextCollective) -> Iterator[SkippedCollective]:
        if is_expected_to_fail(self._function.ir, ahead.at):
            return
        for work in tried.local_work():
            if not self._comes_before(work, ahead) or tried.fails_elsewhere(work, ahead):
                continue
            for handler in tried.step.handlers:
                if tried.takes(handler, work) and self._swallows(tried, handler, ahead):
                    yield SkippedCollective(self._function, ahead, work, handler)

    def _comes_before(self, work: Work, ahead: NextCollective) -> bool:
        if work.block == ahead.block:
            start, end = ahead.at
            return work.span[0] < start or work.span[1] <= end
        return ahead.block in self._flow.reachable(work.block, exceptions=False) or self._may_follow(work, ahead)

    def _may_follow(self, work: Work, ahead: NextCollective) -> bool:
        """Whether a ``raise``, which has no successor block, precedes the collective in the text."""
        is_raise = isinstance(self._function.ir.blocks[work.block].terminator, ir.Raise)
        return is_raise and work.span[1] <= ahead.at[0]

    def _swallows(self, tried: Tried, handler: ir.Handler, ahead: NextCollective) -> bool:
        """Whether a process continues after the handler without ever executing the collective of the others."""
        if tried.ends_all(handler) or not tried.goes_on(handler) or any(tried.collectives(handler.span)):
            return False
        if tried.may_perform(handler.span, ahead):
            return False
        groups = ahead.communicator.groups
        later = MustCollectives(self._function, lambda c: bool(c.groups & groups)).next_from(handler.entry)
        if later is None or spelling(later.operation.method) != spelling(ahead.operation.method):
            return True
        following = set[int]()
        for target in self._flow.next(ahead.block):
            following |= self._flow.reachable(target, exceptions=False)
        return later.block in following
