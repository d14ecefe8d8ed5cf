"""The body and the handlers of a ``try``: local operations that may fail, collectives, and the handling of failures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionClass, ExceptionFlow
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Communicator
from jaxmpi_lint.analysis.participation.abort_handlers import entered_around
from jaxmpi_lint.analysis.participation.call_failures import (
    CallFailures,
    Failure,
    deciding_tests,
    failure_named,
    failures_of_files,
    is_of_one_process,
    local_failures,
)
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives, NextCollective
from jaxmpi_lint.analysis.participation.own_failures import own_failures, trapped_failures
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUses, called_function
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import COLLECTIVE_KINDS
from jaxmpi_lint.library.python.local_failures import BROAD

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers


@dataclass(frozen=True, slots=True)
class Work:
    """A call, or a conditional ``raise``, that may fail on one process alone, and its exceptions.

    ``own``: each process provably works on different data; ``inner`` is the failure inside a called function;
    ``named``: only a handler that names the exception shows that the failure is expected.
    """

    span: ir.Span
    text: str
    own: bool
    block: int
    failures: tuple[ExceptionClass, ...]
    inner: Failure | None = None
    named: bool = False


class Tried:
    """One ``try`` of a function."""

    def __init__(self, function: Function, step: ir.Try, resort: AbortHandlers) -> None:
        self.function = function
        self.step = step
        self._resort = resort
        self._flow: ExceptionFlow = resort.flow(function)
        self._collectives = MustCollectives(function, lambda communicator: not communicator.is_self)

    def calls(self, span: ir.Span | None) -> Iterator[tuple[int, BoundCall]]:
        """The reachable calls in a part of the text, with their blocks."""
        if span is None:
            return
        seen: set[ir.Span] = set()
        for block in self.function.ir.blocks:
            for bound in self._flow.calls(block.index):
                start = bound.call.span
                if span[0] <= start[0] < span[1] and start not in seen:
                    seen.add(start)
                    yield block.index, bound

    def collectives(self, span: ir.Span | None) -> Iterator[NextCollective]:
        """The collectives of the group in a part of the text; one in a called function only if it must be reached
        there.
        """
        seen: set[ir.Span] = set()
        for index, _ in self.calls(span):
            for ahead in self._collectives.all_in_block(index):
                if span is not None and span[0] <= ahead.at[0] < span[1] and ahead.at not in seen:
                    seen.add(ahead.at)
                    yield ahead

    def local_work(self) -> Iterator[Work]:
        """The operations in the body that may fail on one process alone."""
        for index, bound in self.calls(self.step.body):
            work = self._work(index, bound)
            if work is not None and self.parts(index, bound.call.span):
                yield work
        for block in self.function.ir.blocks:
            if isinstance(block.terminator, ir.Raise) and self._is_in_body(block.terminator.span):
                raised = self._flow.exception_class(block.terminator.value)
                if raised is not None and self._diverges(block.index):
                    yield Work(block.terminator.span, "raise", True, block.index, (raised,))

    def work_of_one_process(self) -> Iterator[Work]:
        """The operations in the body that fail for the data of one process; the existence of files hardly differs."""
        for work in self.local_work():
            raises = isinstance(self.function.ir.blocks[work.block].terminator, ir.Raise) and work.text == "raise"
            tests = deciding_tests(self.function, self._flow, work.block, self.step.body[0])
            if work.own and (not raises or any(test.source is not Source.FILES for test in tests)):
                yield work
        yield from self.own_work()

    def own_work(self) -> Iterator[Work]:
        """The computations in the body that fail for the data of one process; their handlers must name the failure."""
        if not any(map(self._names_failures, self.step.handlers)):
            return
        source = self.function.module.source
        for block in self.function.ir.blocks:
            if self.function.flow.entries[block.index] is None or not self._begins_inside(block):
                continue
            for node, names in own_failures(self.function, block):
                if self._is_within(node.span) and self.parts(block.index, node.span):
                    text = source(node.func.span if isinstance(node, ir.Call) else node.span)
                    yield Work(node.span, text, True, block.index, tuple(map(_named_only, names)), named=True)

    def _names_failures(self, handler: ir.Handler) -> bool:
        """Whether a handler is for certain failures, which its author thus expects."""
        return handler.kind is not None and ir.dotted(handler.kind) not in BROAD

    def _begins_inside(self, block: ir.Block) -> bool:
        spans = [step.span for step in block.steps] or [block.terminator.span]
        return any(map(self._is_within, spans))

    def _work(self, index: int, bound: BoundCall) -> Work | None:
        """A call that may fail on one process, itself or in a function of the project that it runs."""
        names = local_failures(bound)
        text = self.function.module.source(bound.call.func.span)
        if names:
            own = self._is_of_one_process(index, bound)
            return Work(bound.call.span, text, own, index, failures_of_files(names, own))
        trapped = trapped_failures(self.function, bound)
        if trapped:
            return Work(bound.call.span, text, False, index, tuple(map(_named_only, trapped)), named=True)
        found = self.function.project.get(CallFailures).of_call(self.function, index, bound)
        decided = [failure for failure in found if failure.is_own]
        told = decided or [failure for failure in found if failure.local]
        if not told:
            return None
        own = bool(decided) or self._is_of_one_process(index, bound)
        raised = tuple(failure.raised for failure in told)
        more = failures_of_files((), own and not decided)
        return Work(bound.call.span, text, own, index, (*raised, *more), told[0])

    def parts(self, block: int, span: ir.Span) -> bool:
        """Whether the processes may diverge after a failure in the body: there are several, and none signals it to the
        others.
        """
        if is_of_one_process(self.function, block):
            return False
        inside = (enter for enter in entered_around(self.function.ir, span) if self._is_within(enter.span))
        return not any(self._resort.manager_tells(self.function, enter) for enter in inside)

    def _is_within(self, span: ir.Span) -> bool:
        return self.step.body[0] <= span[0] < self.step.body[1]

    def _is_in_body(self, span: ir.Span) -> bool:
        return self._is_within(span) and self.function.module.source(span).startswith("raise")

    def _is_of_one_process(self, block: int, bound: BoundCall) -> bool:
        """Whether the data of the operation differs between processes."""
        env = self.function.flow.environment_before(block, None)
        values = [self.function.value(argument.value, env) for argument in bound.call.args]
        return any(value.content.level in (Level.RANK, Level.LOCAL) for value in values)

    def _diverges(self, index: int) -> bool:
        """Whether processes may differ in reaching a block of the body."""
        return any(deciding_tests(self.function, self._flow, index, self.step.body[0]))

    def fails_elsewhere(self, work: Work, ahead: NextCollective) -> bool:
        """Whether an operation fails where a test holds that need not divide the processes of a collective."""
        tests = (guard.test.content for guard in guards(self.function, work.block))
        own = ahead.communicator.groups
        return any(test.level.diverges and test.groups and not own <= test.groups for test in tests)

    def takes(self, handler: ir.Handler, work: Work) -> bool:
        """Whether a failure of an operation reaches a handler of this ``try``."""
        if work.named and not self._names_failures(handler):
            return False
        return any(self._taken_by(work.block, failure) is handler for failure in work.failures)

    def _taken_by(self, block: int, raised: ExceptionClass) -> ir.Handler | None:
        for entry in self.function.ir.blocks[block].handlers:
            handler = self._flow.handlers.get(entry)
            if handler is not None and self._flow.catches(handler, raised):
                return handler
        return None

    def region(self, handler: ir.Handler) -> list[int]:
        """The blocks of a handler."""
        start, end = handler.span
        return [handler.entry] + [
            block.index
            for block in self.function.ir.blocks
            if block.index != handler.entry
            and self.function.flow.entries[block.index] is not None
            and any(start <= step.span[0] < end for step in block.steps)
        ]

    def ends_all(self, handler: ir.Handler) -> bool:
        """Whether a handler has a call that ends every process, or may signal the failure to them."""
        return any(self._resort.aborts(bound) for _, bound in self.calls(handler.span))

    def goes_on(self, handler: ir.Handler) -> bool:
        """Whether a process can exit a handler without raising again or ending."""
        return any(
            isinstance(self.function.ir.blocks[index].terminator, ir.Return) and self._flow.exit_call(index) is None
            for index in self._flow.reachable(handler.entry, exceptions=False)
        )

    def may_perform(self, span: ir.Span | None, wanted: NextCollective) -> bool:
        """Whether a part of the text may execute a collective on the same processes, in this or a different variant."""
        return any(self._performs(bound, block, wanted) for block, bound in self.calls(span))

    def _performs(self, bound: BoundCall, block: int, wanted: NextCollective) -> bool:
        if not bound.operations and called_function(bound) is None:
            return self._is_handed_communicator(bound)
        env = self.function.flow.environment_before(block, None)
        return any(
            use.operation.kind in COLLECTIVE_KINDS
            and spelling(use.operation.method) == spelling(wanted.operation.method)
            and use.communicator.groups & wanted.communicator.groups
            for use in self.function.project.get(CommunicatorUses).of_call(self.function, bound, env)
        )

    def _is_handed_communicator(self, bound: BoundCall) -> bool:
        values = (self.function.value(argument.value, {}) for argument in bound.call.args)
        return any(isinstance(value.entity, Communicator) for value in values)


def spelling(method: str) -> str:
    """The name of a collective without the variant for buffers or pickles, or for equal or different counts."""
    return method.lower().rstrip("vw")


def _named_only(name: str) -> ExceptionClass:
    """The class of a failure without its broad bases."""
    known = failure_named(name)
    return replace(known, ancestry=known.ancestry - BROAD - {"object"})


def header(handler: ir.Handler) -> ir.Span:
    """The line of an ``except``, without its name."""
    start = handler.span[0]
    return start, handler.kind.span[1] if handler.kind is not None else start + len("except")
