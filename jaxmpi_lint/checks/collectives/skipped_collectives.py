"""Collectives in a ``try`` that a process skips if earlier work fails on it and the handler continues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
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
    is_after: bool = False
    """Whether the collective follows the ``try``."""

    @property
    def place(self) -> Place:
        """The collective, or the call that performs it."""
        return Place(self.function.module, self.ahead.at)

    @property
    def confidence(self) -> Confidence:
        """High if each process provably works on different data, and the failure is in this function."""
        direct = self.work.inner is None and not self.work.named and not self.is_after
        return Confidence.HIGH if self.work.own and direct else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """What may fail, the handler, the collective."""
        module, work = self.function.module, self.work
        yield Step(module, work.span, f"`{work.text}` may fail on one process and succeed on the others")
        if work.inner is not None:
            yield Step(work.inner.module, work.inner.span, "the failure, in the called function")
        message = "that process enters this handler and continues without the collective"
        yield Step(module, header(self.handler), message)
        yield from inner_collective(self.ahead)


def skipped_collectives(function: Function) -> Iterator[SkippedCollective]:
    """The first such collective of each ``try`` of a function."""
    resort = function.project.get(AbortHandlers)
    seen: set[ir.Span] = set()
    for run in (function, *function.project.contexts.of(function)) if resort.flow(function).tries else ():
        for skipped in SkippedCollectives(run, resort).find():
            if skipped.place.span not in seen:
                seen.add(skipped.place.span)
                yield skipped


class SkippedCollectives:
    """Finds the skipped collectives in one function."""

    def __init__(self, function: Function, resort: AbortHandlers) -> None:
        self._function = function
        self._resort = resort
        self._flow = resort.flow(function)

    @cached_property
    def _collectives(self) -> MustCollectives:
        return MustCollectives(self._function, lambda communicator: not communicator.is_self)

    def find(self) -> Iterator[SkippedCollective]:
        """One for each ``try``, at the first collective that may be skipped."""
        for step in self._flow.tries:
            tried = Tried(self._function, step, self._resort)
            collectives = [*tried.collectives(step.body), *tried.collectives(step.orelse)]
            found = [skipped for ahead in collectives for skipped in self._skipped(tried, ahead)]
            found = found or list(self._left(tried, step))
            if found:
                yield min(found, key=lambda skipped: (skipped.ahead.at, skipped.work.span))

    def _skipped(self, tried: Tried, ahead: NextCollective) -> Iterator[SkippedCollective]:
        if is_expected_to_fail(self._function.ir, ahead.at):
            return
        for work in (*tried.local_work(), *tried.own_work()):
            if not self._comes_before(work, ahead) or tried.fails_elsewhere(work, ahead):
                continue
            for handler in tried.step.handlers:
                if tried.takes(handler, work) and self._swallows(tried, handler, ahead):
                    yield SkippedCollective(self._function, ahead, work, handler)

    def _left(self, tried: Tried, step: ir.Try) -> Iterator[SkippedCollective]:
        """The collective after a ``try`` that a handler leaves out by ``continue``, ``break`` or ``return``."""
        works = list(tried.work_of_one_process()) if self._function.any_call_may_communicate else []
        if not works:
            return
        start = next(block.index for block in self._function.ir.blocks if step in block.steps)
        ahead = self._collectives.next_from(start)
        if ahead is None or ahead.at[0] < step.extent[1] or is_expected_to_fail(self._function.ir, ahead.at):
            return
        leaving = [handler for handler in step.handlers if self._leaves_out(tried, handler, ahead, start)]
        for work in works if leaving else ():
            if not tried.fails_elsewhere(work, ahead):
                for handler in leaving:
                    if tried.takes(handler, work):
                        yield SkippedCollective(self._function, ahead, work, handler, is_after=True)

    def _leaves_out(self, tried: Tried, handler: ir.Handler, ahead: NextCollective, start: int) -> bool:
        """Whether a handler leads past a collective, and not back to the ``try`` for a further attempt."""
        if tried.ends_all(handler) or not tried.goes_on(handler) or any(tried.collectives(handler.span)):
            return False
        passed = self._flow.reachable(handler.entry, start, exceptions=False)
        if ahead.block in passed or tried.may_perform(handler.span, ahead):
            return False
        again = start in self._flow.reachable(handler.entry, exceptions=False)
        return not (again and self._is_attempt(tried.step, ahead)) and not self._is_made_up(passed, ahead)

    def _is_attempt(self, step: ir.Try, ahead: NextCollective) -> bool:
        """Whether the loop around a ``try`` ends after a success, as one that tries again does."""
        for loop, branch in self._function.loops_around(step.span):
            if branch.kind != "for":
                return True
            beyond = self._flow.reachable(ahead.block, loop.index, exceptions=False)
            return branch.when_false in beyond or any(
                isinstance(self._function.ir.blocks[index].terminator, ir.Return) for index in beyond
            )
        return True

    def _is_made_up(self, passed: frozenset[int], ahead: NextCollective) -> bool:
        """Whether a process executes the collective of the others on its way from the handler."""
        groups = ahead.communicator.groups
        own = MustCollectives(self._function, lambda communicator: bool(communicator.groups & groups))
        wanted = spelling(ahead.operation.method)
        return any(spelling(found.operation.method) == wanted for block in passed for found in own.all_in_block(block))

    def _comes_before(self, work: Work, ahead: NextCollective) -> bool:
        if work.inner is not None and work.span == ahead.at:
            return False  # both are in the called function
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
