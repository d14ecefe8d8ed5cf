"""Collectives after the last ``yield`` of a generator: a consumer that exits early skips them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.call_graph import CallSite, CallSites
from jaxmpi_lint.analysis.model.communication_events import events_of_block
from jaxmpi_lint.checks.collectives.generator_consumption import Consumption, consumption
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function

_MANAGERS = frozenset({"contextmanager", "asynccontextmanager", "fixture", "yield_fixture"})


@dataclass(frozen=True, slots=True)
class TrailingCollective:
    """The collective in a generator, and the places that may consume only some of its items."""

    function: Function
    event: Event
    leaving: tuple[Place, ...]

    @property
    def place(self) -> Place:
        """The collective, or the call that performs it."""
        return Place(self.function.module, self.event.span)

    @property
    def confidence(self) -> Confidence:
        """High if a known consumer may exit early."""
        return Confidence.HIGH if self.leaving else Confidence.MEDIUM

    @property
    def name(self) -> str:
        """The generator."""
        return self.function.ir.name

    def steps(self) -> Iterator[Step]:
        """The consumers that may exit early."""
        for consumer in self.leaving:
            yield Step(consumer.module, consumer.span, "this consumer may not take all items")


def trailing_collectives(function: Function) -> Iterator[TrailingCollective]:
    """The first trailing collective of a generator, unless every consumer takes all items."""
    event = _trailing(function) if function.ir.is_generator and not _is_resumed(function) else None
    if event is None:
        return
    found = [(site, *consumption(site)) for site in function.project.get(CallSites).of(function)]
    if not found or any(kind is not Consumption.ALL for _, kind, _ in found):
        yield TrailingCollective(function, event, tuple(_leaving(found)))


def _leaving(found: list[tuple[CallSite, Consumption, ir.Span]]) -> Iterator[Place]:
    return (Place(site.caller.module, span) for site, kind, span in found if kind is Consumption.SOME)


def _is_resumed(function: Function) -> bool:
    """Whether a decorator makes the generator a context manager or a fixture."""
    names = {(ir.dotted(node) or "").rpartition(".")[2] for d in function.ir.decorators for node in ir.walk(d)}
    return bool(names & _MANAGERS)


def _trailing(function: Function) -> Event | None:
    """The first collective that no ``yield`` follows, but that one may precede."""
    blocks = function.ir.blocks
    yielding = {block.index for block in blocks if any(_yields(step) for step in block.steps)}
    following = set().union(*(function.graph.reachable(index) for index in yielding)) if yielding else set()
    copies = Counter(step.expression.span for step in function.ir.steps() if isinstance(step, ir.Evaluate))
    for block in blocks:
        if block.index in following and _is_last(function, block, yielding):
            for event in _after_yield(function, block):
                if copies[event.span] == 1:
                    return event
    return None


def _is_last(function: Function, block: ir.Block, yielding: set[int]) -> bool:
    """Whether a block is reached, and nothing is yielded after it."""
    if function.flow.entries[block.index] is None:
        return False
    if function.graph.reachable(block.index) - {block.index} & yielding:
        return False
    return block.index not in yielding or block.index not in _after(function, block.index)


def _after_yield(function: Function, block: ir.Block) -> Iterator[Event]:
    """The known collective events after the last ``yield`` of a block."""
    last = max((index for index, step in enumerate(block.steps) if _yields(step)), default=-1)
    after = {step.expression.span for step in block.steps[last + 1 :] if isinstance(step, ir.Evaluate)}
    for event in events_of_block(function, block.index):
        own = event.communicator is not None and event.communicator.is_self
        if event.span in after and not event.opaque and not own:
            yield event


def _after(function: Function, index: int) -> set[int]:
    return set().union(*(function.graph.reachable(target) for target in function.graph.successors[index]))


def _yields(step: ir.Step) -> bool:
    return isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield)
