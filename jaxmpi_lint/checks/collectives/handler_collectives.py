"""Collectives in ``except`` handlers, which only the processes with a failure enter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionClass
from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.analysis.participation.call_failures import names_processes
from jaxmpi_lint.analysis.participation.must_collectives import NextCollective
from jaxmpi_lint.analysis.participation.try_statements import Tried, Work, header
from jaxmpi_lint.checks.base import inner_collective
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.library.python.local_failures import ALIKE, ALONE, BROAD, HARMLESS, INTERRUPTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_RECOVERY = frozenset({"Shrink", "Ishrink", "Agree", "Iagree", "Revoke", "Ack_failed", "Get_failed"})


@dataclass(frozen=True, slots=True)
class HandlerCollective:
    """A collective in a handler; ``work`` may fail on one process, None if any call in the body may."""

    function: Function
    step: ir.Try
    handler: ir.Handler
    ahead: NextCollective
    work: Work | None
    suspect: ir.Span
    interrupted: bool = False

    @property
    def place(self) -> Place:
        """The call in the handler."""
        return Place(self.function.module, self.ahead.at)

    @property
    def confidence(self) -> Confidence:
        """High if it is known what may fail in this function."""
        return Confidence.HIGH if self.work is not None and self.work.inner is None else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """What may fail, the handler, the collective."""
        module = self.function.module
        if self.interrupted:
            yield Step(module, self.suspect, "a signal interrupts each process at a different point of this body")
            yield Step(module, header(self.handler), "each process enters this handler at its own time, or not at all")
        else:
            yield Step(module, self.suspect, "may fail on one process and succeed on the others")
            yield Step(module, header(self.handler), "only processes on which it failed enter this handler")
        yield from inner_collective(self.ahead)


def handler_collectives(function: Function) -> Iterator[HandlerCollective]:
    """The first collective of each handler of a function."""
    return HandlerCollectives(function, function.project.get(AbortHandlers)).find()


class HandlerCollectives:
    """Finds the collectives in the handlers of one function."""

    def __init__(self, function: Function, resort: AbortHandlers) -> None:
        self._function = function
        self._resort = resort
        self._flow = resort.flow(function)

    def find(self) -> Iterator[HandlerCollective]:
        """One for each handler, at its first collective."""
        for step in self._flow.tries:
            tried = Tried(self._function, step, self._resort)
            for handler in step.handlers:
                found = self._examine(tried, handler)
                if found is not None:
                    yield found

    def _examine(self, tried: Tried, handler: ir.Handler) -> HandlerCollective | None:
        collectives = [ahead for ahead in tried.collectives(handler.span) if ahead.operation.method not in _RECOVERY]
        first = min(collectives, key=lambda ahead: ahead.at, default=None)
        if first is None or tried.ends_all(handler) or self._is_matched(tried, handler, first):
            return None
        work = next((work for work in tried.local_work() if tried.takes(handler, work)), None)
        if work is not None and tried.fails_elsewhere(work, first):
            return None
        if work is not None:
            return HandlerCollective(self._function, tried.step, handler, first, work, work.span)
        interrupted = any(kind.name in INTERRUPTS for kind in self._kinds(handler))
        suspect = self._first_call(tried) if interrupted else self._suspect(tried, handler)
        if suspect is None:
            return None
        return HandlerCollective(self._function, tried.step, handler, first, None, suspect.call.span, interrupted)

    # --- whether the other processes execute the same collective ---

    def _is_matched(self, tried: Tried, handler: ir.Handler, wanted: NextCollective) -> bool:
        """Whether the processes without a failure may execute the same collective."""
        if tried.may_perform(tried.step.body, wanted) or tried.may_perform(tried.step.orelse, wanted):
            return True
        return any(
            tried.may_perform(bound.call.span, wanted)
            for index in self._skipped(tried, handler)
            for bound in self._flow.calls(index)
        )

    def _skipped(self, tried: Tried, handler: ir.Handler) -> set[int]:
        """The blocks after the ``try`` that are not reachable from the handler."""
        start = next(block.index for block in self._function.ir.blocks for step in block.steps if step is tried.step)
        inside = range(*tried.step.extent)
        following = {
            index
            for index in self._flow.reachable(start, exceptions=False)
            if not any(step.span[0] in inside for step in self._function.ir.blocks[index].steps)
        }
        return following - self._flow.reachable(handler.entry, start, exceptions=False)

    # --- whether something may fail on one process only ---

    def _first_call(self, tried: Tried) -> BoundCall | None:
        return next((bound for _, bound in tried.calls(tried.step.body)), None)

    def _suspect(self, tried: Tried, handler: ir.Handler) -> BoundCall | None:
        """A call in the body whose failure the handler catches, and that need not fail on all processes alike."""
        kinds = self._kinds(handler)
        if not any(kind.name in BROAD or (kind.ancestry & ALONE and not kind.ancestry & ALIKE) for kind in kinds):
            return None
        for index, bound in tried.calls(tried.step.body):
            taken = handler.entry in self._function.ir.blocks[index].handlers
            if taken and self._may_fail_alone(index, bound) and tried.parts(index, bound.call.span):
                return bound
        return None

    def _kinds(self, handler: ir.Handler) -> list[ExceptionClass]:
        if handler.kind is None:
            return [ExceptionClass("BaseException", frozenset({"BaseException"}), True)]
        kinds = handler.kind.elements if isinstance(handler.kind, ir.Collection) else (handler.kind,)
        return [known for kind in kinds if (known := self._flow.exception_class(kind)) is not None]

    def _may_fail_alone(self, index: int, bound: BoundCall) -> bool:
        if bound.operations:
            return all(operation.kind in (Kind.LOCAL, Kind.BACKEND) for operation in bound.operations)
        if (bound.dotted or "").removeprefix("builtins.") in HARMLESS or names_processes(bound):
            return False
        env = self._function.flow.environment_before(index, None)
        values = [self._function.value(argument.value, env) for argument in bound.call.args]
        return not values or any(value.content.level is not Level.UNIFORM for value in values)
