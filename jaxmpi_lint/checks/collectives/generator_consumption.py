"""Consumption of a generator's items: all of them, or possibly only some."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.model.call_graph import CallSite

_EXHAUSTING = frozenset({"list", "tuple", "set", "sorted", "sum", "dict", "max", "min", "deque", "frozenset", "array"})
_LEAVING = frozenset({"next", "any", "all", "islice", "takewhile"})
_PASSING = frozenset({"enumerate", "iter", "tqdm", "map", "filter"})


class Consumption(StrEnum):
    """How many items of one call of a generator are consumed."""

    ALL = "all"
    SOME = "some"
    UNKNOWN = "unknown"


def consumption(site: CallSite) -> tuple[Consumption, ir.Span]:
    """How the items of a call are consumed, and where."""
    function, span = site.caller, site.bound.call.span
    for block, branch, _ in function.branches():
        if branch.kind == "for" and isinstance(branch.test, ir.Element) and _passes_on(branch.test.iterable, span):
            leaves = _leaves(function, block.index, branch)
            return (Consumption.SOME if leaves else Consumption.ALL), branch.span
    for expression in _expressions(function):
        for node in ir.walk(expression):
            if isinstance(node, ir.Call) and any(_passes_on(argument.value, span) for argument in node.args):
                name = (ir.dotted(node.func) or "").rpartition(".")[2]
                if name in _EXHAUSTING or name in _LEAVING:
                    return (Consumption.ALL if name in _EXHAUSTING else Consumption.SOME), node.span
            if isinstance(node, ir.Comprehension) and any(_passes_on(g.iterable, span) for g in node.generators):
                return (Consumption.UNKNOWN if node.kind == "generator" else Consumption.ALL), node.span
    return Consumption.UNKNOWN, span


def _expressions(function: Function) -> Iterator[ir.Expression]:
    for block in function.ir.blocks:
        for step in block.steps:
            yield from expressions_read(step)
        yield from terminator_expressions(block)


def _passes_on(expression: ir.Expression, span: ir.Span) -> bool:
    """Whether an expression is the call, or an iterator over its items."""
    if expression.span == span:
        return True
    if isinstance(expression, ir.Call) and (ir.dotted(expression.func) or "").rpartition(".")[2] in _PASSING:
        return any(_passes_on(argument.value, span) for argument in expression.args)
    return False


def _leaves(function: Function, header: int, branch: ir.Branch) -> bool:
    """Whether a path leaves the body of a loop without reaching its header."""
    graph = function.graph
    body = graph.reachable(branch.when_true, header)
    raises = any(
        isinstance(block.terminator, ir.Raise) and block.index in body and block.terminator.span != (0, 0)
        for block in function.ir.blocks
    )
    return raises or graph.exit in body or bool(body & graph.reachable(branch.when_false, header))
