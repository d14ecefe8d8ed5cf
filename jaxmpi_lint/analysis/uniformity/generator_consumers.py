"""Consumers of generators: the loop or the builtin that runs the body of a generator where it is called."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.library.python.sequences import EXHAUSTING, ITEM_BY_ITEM

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class GeneratorConsumers:
    """The consumers of the calls of one function whose result is used once, in the same expression."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.loops = dict(_loops(function.ir))

    @cached_property
    def _exhausted(self) -> frozenset[ir.Span]:
        return frozenset(_exhausted(self._function.ir))

    def loop_of(self, bound: BoundCall) -> int | None:
        """The header of the ``for`` loop over the items of a generator, which a call makes.

        None for generators that clean up: that is done when the loop is left, too.
        """
        header = self.loops.get(bound.call.span)
        target = _generator(self._function, bound) if header is not None else None
        return None if target is None or _cleans_up(target.ir) else header

    def exhausts(self, bound: BoundCall) -> bool:
        """Whether a builtin takes all items of a generator at once, which a call makes."""
        return bound.call.span in self._exhausted and _generator(self._function, bound) is not None


def _generator(function: Function, bound: BoundCall) -> Function | None:
    entity = bound.callee.entity
    target = function.project.function(*entity.key) if isinstance(entity, FunctionReference) else None
    plain = target is not None and target.ir.is_generator and not target.ir.is_async and not target.ir.decorators
    return target if plain else None


def _loops(function: ir.Function) -> list[tuple[ir.Span, int]]:
    found: list[tuple[ir.Span, int]] = []
    for block in function.blocks:
        branch = block.terminator
        if isinstance(branch, ir.Branch) and branch.kind == "for" and isinstance(branch.test, ir.Element):
            call = _iterated(branch.test.iterable)
            if call is not None:
                found.append((call.span, block.index))
    copies = Counter(span for span, _ in found)
    return [(span, header) for span, header in found if copies[span] == 1]


def _exhausted(function: ir.Function) -> list[ir.Span]:
    expressions = [e for block in function.blocks for step in block.steps for e in expressions_read(step)]
    expressions += [e for block in function.blocks for e in terminator_expressions(block)]
    return [
        call.span
        for expression in expressions
        for node in ir.walk(expression)
        if isinstance(node, ir.Call) and ir.dotted(node.func) in EXHAUSTING and node.args
        if (call := _iterated(node.args[0].value)) is not None
    ]


def _iterated(iterable: ir.Expression) -> ir.Call | None:
    """The call whose items are taken one by one."""
    while isinstance(iterable, ir.Call) and iterable.args and ir.dotted(iterable.func) in ITEM_BY_ITEM:
        iterable = iterable.args[0].value
    return iterable if isinstance(iterable, ir.Call) else None


def _cleans_up(function: ir.Function) -> bool:
    """Whether a generator has a ``finally`` (whose calls have copies) or a ``with`` statement."""
    copies = Counter(call.span for _, _, call in function.placed_calls())
    return any(number > 1 for number in copies.values()) or any(isinstance(s, ir.Enter) for s in function.steps())
