"""Collectives in the condition of an ``assert``, which ``python -O`` removes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.communication_events import events_of_block
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function

_NAMES = ("result", "agreed", "collective_result")


@dataclass(frozen=True, slots=True)
class AssertedCollective:
    """A collective, and the assertion that contains it."""

    function: Function
    block: ir.Block
    event: Event
    statement: ir.Span

    @property
    def place(self) -> Place:
        """The collective, or the call that performs it."""
        return Place(self.function.module, self.event.span)

    @property
    def confidence(self) -> Confidence:
        """High: the defect is visible in the text."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The assertion."""
        yield Step(self.function.module, self.statement, "`python -O` removes this statement")


def asserted_collectives(function: Function) -> Iterator[AssertedCollective]:
    """The collectives in assertions of a function that is not a test."""
    asserted = _assertions(function)
    if not asserted or function.ir.name.startswith("test"):
        return
    seen: set[ir.Span] = set()
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None or isinstance(block.terminator, ir.Raise):
            continue
        for event in events_of_block(function, block.index):
            statement = next((s for s in asserted if s[0] <= event.span[0] < s[1]), None)
            alone = event.opaque or (event.communicator is not None and event.communicator.is_self)
            if statement is not None and not alone and event.span not in seen:
                seen.add(event.span)
                yield AssertedCollective(function, block, event, statement)


def _assertions(function: Function) -> set[ir.Span]:
    return {
        block.terminator.extent
        for block in function.ir.blocks
        if isinstance(block.terminator, ir.Branch) and block.terminator.kind == "assert"
    }


def earlier_call(found: AssertedCollective) -> Repair | None:
    """The call in a separate statement, if the assertion evaluates nothing before it."""
    module, call, statement = found.function.module, found.event.span, found.statement
    name = next((name for name in _NAMES if name not in module.text), None)
    if name is None or not _is_first(found) or not alone_on_line(module, statement):
        return None
    if _is_after_operator(module, call, statement):
        return None
    text = f"{name} = {module.source(call)}{line_ending(module)}{indentation(module, statement)}"
    edits = (((statement[0], statement[0]), text), (call, name))
    return Repair(Applicability.SAFE, "call it before the assertion", edits)


def _is_first(found: AssertedCollective) -> bool:
    """Whether the assertion is a single test that makes no other call before the collective."""
    terminator, (start, end) = found.block.terminator, found.event.span
    calls = [step.expression.span for step in found.block.steps if isinstance(step, ir.Evaluate)]
    others = [span for span in calls[: calls.index(found.event.span)] if _is_in(span, found.statement)]
    whole = isinstance(terminator, ir.Branch) and terminator.kind == "assert"
    return whole and all(start <= span[0] and span[1] <= end for span in others)


def _is_in(span: ir.Span, statement: ir.Span) -> bool:
    return statement[0] <= span[0] < statement[1]


def _is_after_operator(module: ir.Module, call: ir.Span, statement: ir.Span) -> bool:
    """Whether an operand before the call decides whether the call is made."""
    words = module.text[statement[0] : call[0]].replace("(", " ").split()
    return any(word in ("and", "or", "if", "else", "for") for word in words)
