"""Dictionaries whose missing entries are computed by a collective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class CacheMiss:
    """A test whether a key is in a container, and the collective that computes a missing entry."""

    function: Function
    branch: ir.Branch
    container: str
    event: Event
    kind: str = "dictionary"

    @property
    def place(self) -> Place:
        """The collective."""
        return Place(self.function.module, self.event.span)

    @property
    def confidence(self) -> Confidence:
        """Low: all processes may have requested the same keys."""
        return Confidence.LOW

    def steps(self) -> Iterator[Step]:
        """The test."""
        yield Step(self.function.module, self.branch.span, "depends on the keys that this process has requested before")


def cache_misses(function: Function) -> Iterator[CacheMiss]:
    """The collectives that fill in missing entries of a dictionary, except under tests known to be divergent."""
    for block, branch, test in function.branches():
        container = _asked(branch.test)
        if container is None or branch.kind != "if" or test.content.level.diverges:
            continue
        missing = branch.when_true if _is_miss(branch.test) else branch.when_false
        for index in sorted(function.graph.reachable(missing, function.graph.immediate_postdominator(block.index))):
            event = _filling(function, index, container)
            if event is not None:
                yield CacheMiss(function, branch, container, event)
                break


def _asked(test: ir.Expression) -> str | None:
    """The container of ``key in container``."""
    test, _ = ir.strip_not(test)
    if isinstance(test, ir.Comparison) and test.operators in (("in",), ("not in",)):
        return ir.dotted(test.operands[1])
    return None


def _is_miss(test: ir.Expression) -> bool:
    test, truth = ir.strip_not(test)
    assert isinstance(test, ir.Comparison)
    return truth == (test.operators == ("not in",))


def _filling(function: Function, index: int, container: str) -> Event | None:
    """The collective in a block whose result is stored in a container."""
    if index >= len(function.ir.blocks) or function.flow.entries[index] is None:
        return None
    events = {event.span: event for event in function.block_events(index) if not event.opaque}
    for step in function.ir.blocks[index].steps:
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call) and step.value.span in events:
            targets = [target for target in step.targets if isinstance(target, ir.Subscript)]
            if any(ir.dotted(target.value) == container for target in targets):
                return events[step.value.span]
    return None
