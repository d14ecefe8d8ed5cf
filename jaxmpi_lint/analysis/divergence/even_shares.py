"""Loops over per-process data of equal length: truncated, or ended by a counter.

The division itself must be visible in the code: every n-th element, starting at the rank. The local data is assumed to
be long enough for the truncation or the counter, except for `islice`, which, like any loop, stops at the end of shorter
data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.analysis.divergence.least_lengths import cut_to_least
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.lattice.limits import SHARE_DEFINITIONS
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.sequences import KEEPS_LENGTH_OF_FIRST

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Evened:
    """How and where the local data is given the same length on all processes."""

    what: str
    span: ir.Span


def evened(function: Function, header: int, loop: ir.Branch) -> Evened | None:
    """The reason why a loop over local data has equal trip counts; None if there is none, or no local data."""
    return EvenShare(function, header, loop).found()


def ends_evenly(function: Function, branch: ir.Branch) -> Evened | None:
    """The counter with which a branch ends a loop over local data; None if it does not."""
    loops = function.loops_around(branch.span) if branch.kind == "if" else []
    exits = (found for block, loop in loops for found in EvenShare(function, block.index, loop).exits())
    return next((found for found in exits if found.span == branch.test.span), None)


class EvenShare:
    """A loop, and the expressions between it and the division of the data."""

    def __init__(self, function: Function, header: int, loop: ir.Branch) -> None:
        self._function = function
        self._header = header
        self._loop = loop

    def found(self) -> Evened | None:
        """The first reason for equal trip counts."""
        cut = cut_to_least(self._function, self._loop)
        if cut is not None:
            return Evened("the local data is truncated to the least length of all processes", cut.span)
        reasons = (self._cuts, self.exits) if self._way else ()
        return next((found for reason in reasons for found in reason()), None)

    def exits(self) -> Iterator[Evened]:
        """``if index >= count: break``, where ``index`` counts the iterations over local data."""
        counters = {*self._counted(), *self._enumerated()} if self._way else set()
        for block, branch, _ in self._function.branches() if counters else ():
            inside = branch.kind == "if" and self._is_inside(branch.span) and self._leaves(branch)
            if inside and any(self._compares(block.index, branch.test, counter) for counter in counters):
                yield Evened("a counter ends the loop", branch.test.span)

    # --- from the loop to the division ---

    @cached_property
    def _way(self) -> list[ir.Expression]:
        """The expressions, the division last; empty if the division is not found."""
        way: list[ir.Expression] = []
        expression = self._loop.test.iterable if isinstance(self._loop.test, ir.Element) else None
        while expression is not None and len(way) < SHARE_DEFINITIONS:
            way.append(expression)
            if self._divides(expression):
                return way
            expression = self._before(expression)
        return []

    @cached_property
    def _names(self) -> set[str]:
        """The names bound to the local data."""
        return {expression.id for expression in self._way if isinstance(expression, ir.Name)}

    def _divides(self, expression: ir.Expression) -> bool:
        """Whether the expression takes every n-th element, starting at the rank."""
        match expression:
            case ir.Subscript(index=ir.Slice(lower=ir.Expression() as first, upper=None, step=ir.Expression())):
                return self._level(first) is Level.RANK
            case ir.Call(func=ir.Attribute(attr="shard"), args=(_, _)):
                index = expression.argument(1, "index")
                return index is not None and self._level(index) is Level.RANK
        return False

    def _before(self, expression: ir.Expression) -> ir.Expression | None:
        """The expression from which an expression takes its elements."""
        match expression:
            case ir.Name(id=name):
                return self._value_of(name, expression.span)
            case ir.Subscript(value=value, index=ir.Slice()):
                return value
            case ir.Call(args=(first, *_)) if self._called(expression) in KEEPS_LENGTH_OF_FIRST:
                return first.value
        return None

    def _value_of(self, name: str, use: ir.Span) -> ir.Expression | None:
        """The last value assigned before a use."""
        before = [value for value in definitions(self._function, name) or () if value.span[1] <= use[0]]
        outside = [value for value in before if not value.span[0] <= use[0] < value.span[1]]
        return max(outside, key=lambda value: value.span, default=None)

    def _called(self, call: ir.Call) -> str:
        bound = self._function.bound(call)
        entity = bound.callee.entity if bound is not None else None
        return entity.dotted.removeprefix("builtins.") if isinstance(entity, Named) else ""

    # --- what makes it even ---

    def _cuts(self) -> Iterator[Evened]:
        """``mine[:count]``."""
        for expression in self._way:
            match expression:
                case ir.Subscript(index=ir.Slice(lower=None, upper=ir.Expression() as count, step=None)):
                    if self._is_agreed(count):
                        yield Evened(
                            "the local data is truncated to a length that is equal on all processes", expression.span
                        )

    def _counted(self) -> Iterator[str]:
        """Names that are incremented in the loop."""
        for step in self._function.ir.steps():
            match step:
                case ir.AugmentedAssign(target=ir.Name(id=name), operator="+", value=ir.Constant()):
                    if self._is_inside(step.span):
                        yield name

    def _enumerated(self) -> Iterator[str]:
        """The iteration number, where the loop enumerates the local data."""
        if not isinstance(self._way[0], ir.Call) or self._called(self._way[0]) != "enumerate":
            return
        for step in self._function.ir.steps():
            match step:
                case ir.Assign(
                    targets=(ir.Collection(elements=(ir.Name(id=name), *_)),), value=ir.Element(iterable=iterable)
                ) if iterable.span == self._way[0].span:
                    yield name

    def _is_inside(self, span: ir.Span) -> bool:
        return self._loop.extent[0] <= span[0] < self._loop.extent[1]

    def _leaves(self, branch: ir.Branch) -> bool:
        """Whether a side of a branch exits the loop."""
        reachable, end = self._function.graph.reachable, self._loop.when_false
        return any(self._header not in reachable(side, end) for side in (branch.when_true, branch.when_false))

    def _compares(self, block: int, test: ir.Expression, text: str) -> bool:
        """Whether a test compares an expression with this text with a number that is equal on all processes."""
        test, _ = ir.strip_not(test, True)
        if not isinstance(test, ir.Comparison) or len(test.operands) != 2:
            return False
        source = self._function.module.source
        one, other = test.operands
        pairs = ((one, other), (other, one))
        return any(source(part.span) == text and self._is_agreed(number, block) for part, number in pairs)

    def _is_agreed(self, expression: ir.Expression, block: int | None = None) -> bool:
        """Whether nothing indicates different values on the processes; false for the length of the local data."""
        if any(isinstance(part, ir.Name) and part.id in self._names for part in ir.walk(expression)):
            return False
        return not self._level(expression, block).diverges

    def _level(self, expression: ir.Expression, block: int | None = None) -> Level:
        env = self._function.flow.environment_before(self._header if block is None else block, None)
        return self._function.value(expression, env).content.level
