"""Loops over per-process data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.shares import Share, Shares
from jaxmpi_lint.analysis.lattice.lattice import Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class UnevenLoop:
    """A loop, the span that shows what it walks through, and the calls in its body."""

    header: ir.Span
    share: Share
    calls: tuple[BoundCall, ...]


def uneven_loops(shares: Shares) -> Iterator[UnevenLoop]:
    """The loops of a function that end when the share of the process is used up, and only then."""
    function = shares.function
    for block, branch, _ in function.branches():
        if branch.kind in ("for", "comprehension") and isinstance(branch.test, ir.Element):
            share = shares.of(branch.test.iterable)
            inside = _inside(function, block.index, branch) if share is not None else frozenset()
            if share is not None and not _other_exits(function, inside, block.index, frozenset()):
                skipped = branch.test.iterable.span
                yield UnevenLoop(skipped, share, tuple(_calls(function, inside, skipped)))
        elif branch.kind == "while" and isinstance(branch.test, ir.Constant) and branch.test.value:
            yield from _until_exhausted(shares, block.index, branch)


def _until_exhausted(shares: Shares, header: int, branch: ir.Branch) -> Iterator[UnevenLoop]:
    """``while True`` with a ``next`` whose ``StopIteration`` leads out of the loop."""
    function = shares.function
    inside = _inside(function, header, branch)
    for index in sorted(inside):
        for bound in _calls_of_block(function, index):
            if bound.callee.entity not in (Named("next"), Named("builtins.next")) or len(bound.call.args) != 1:
                continue
            handlers = _handled(function, index, inside, header)
            share = shares.of(bound.call.args[0].value) if handlers else None
            if share is not None and not _other_exits(function, inside, header, handlers):
                yield UnevenLoop(bound.call.span, share, tuple(_calls(function, inside, bound.call.span)))


def _inside(function: Function, header: int, branch: ir.Branch) -> frozenset[int]:
    """The blocks of the loop's body, by their place in the text."""
    start, end = branch.extent
    seen, stack = {branch.when_true}, [branch.when_true]
    while stack:
        block = function.ir.blocks[stack.pop()]
        for target in (*block.successors, *block.handlers):
            if target not in seen and target != header:
                seen.add(target)
                stack.append(target)
    if branch.kind == "comprehension":
        return frozenset(seen)  # nothing leaves it but its own end
    spans = {index: function.ir.blocks[index].terminator.span for index in seen}
    return frozenset(index for index, span in spans.items() if start <= span[0] and span[1] <= end)


def _handled(function: Function, index: int, inside: frozenset[int], header: int) -> frozenset[int]:
    """The blocks in the loop to which an exception in a block leads, without the next pass."""
    seen = {handler for handler in function.ir.blocks[index].handlers if handler in inside}
    stack = list(seen)
    while stack:
        for target in function.ir.blocks[stack.pop()].successors:
            if target in inside and target != header and target not in seen:
                seen.add(target)
                stack.append(target)
    return frozenset(seen)


def _other_exits(function: Function, inside: frozenset[int], header: int, allowed: frozenset[int]) -> bool:
    """Whether a break or return elsewhere may end the loop at an agreed point."""
    return any(
        target not in inside and target != header
        for index in inside - allowed
        if function.flow.entries[index] is not None
        for target in function.graph.successors[index]
    )


def _calls(function: Function, inside: frozenset[int], skipped: ir.Span) -> Iterator[BoundCall]:
    seen: set[ir.Span] = set()
    for index in sorted(inside):
        for bound in _calls_of_block(function, index):
            span = bound.call.span
            if span not in seen and not skipped[0] <= span[0] < skipped[1]:
                seen.add(span)
                yield bound


def _calls_of_block(function: Function, index: int) -> Iterator[BoundCall]:
    for step in function.ir.blocks[index].steps:
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            bound = function.bound(step.expression)
            if bound is not None:
                yield bound
