"""Shares of an order that each process draws for itself: some elements are in several shares, others in none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.checks.base import links_of, reason_steps
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.python.random_seeds import DRAWS_ORDER, SPLITS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Uniformity


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An expression that takes the share of a rank, and the origin of the order."""

    function: Function
    share: ir.Subscript
    order: ir.Expression
    uniformity: Uniformity

    @property
    def place(self) -> Place:
        """The share."""
        return Place(self.function.module, self.share.span)

    @property
    def confidence(self) -> Confidence:
        """High: both the draw and the rank are in sight."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The order, as it is written."""
        return self.function.module.line(self.order.span)

    def steps(self) -> Iterator[Step]:
        """The draw, then the share."""
        yield from reason_steps(self.uniformity.reason)
        yield Step(self.function.module, self.share.span, "each process takes its share of a different order")


def functions(module: Module) -> tuple[Function, ...]:
    """The functions of a file that draws an order."""
    text = module.ir.text
    return tuple(module.functions()) if any(f"{name}(" in text for name in DRAWS_ORDER) else ()


def drawn_orders(function: Function) -> Iterator[DrawnOrder]:
    """The shares of such orders in a function."""
    seen: set[ir.Span] = set()
    for node, env in subscripts(function):
        order = shared_order(function, node, env)
        content = _drawn(function, order, env) if order is not None else None
        if order is None or content is None or _is_communicated_field(function, order):
            continue
        if node.span not in seen:
            seen.add(node.span)
            yield DrawnOrder(function, node, order, content)


def _is_communicated_field(function: Function, order: ir.Expression) -> bool:
    """Whether a communication gets a field of this name, and may fill it."""
    if not isinstance(order, ir.Attribute):
        return False
    calls = (bound.call for other in function.module_model.with_operations for bound in other.operation_calls)
    given = (argument.value for call in calls for argument in call.args)
    return any(isinstance(node, ir.Attribute) and node.attr == order.attr for one in given for node in ir.walk(one))


def subscripts(function: Function) -> Iterator[tuple[ir.Subscript, Environment]]:
    """The subscripts in a function, with the values at that point."""
    return ((node, env) for node, env in nodes_read(function) if isinstance(node, ir.Subscript))


def nodes_read(function: Function) -> Iterator[tuple[ir.Expression, Environment]]:
    """The expressions that a function reads and all parts of them, with the values at that point."""
    read = [(expression, env) for _, step, env in function.steps() for expression in expressions_read(step)]
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            env = function.flow.environment_before(block.index, None)
            read += [(expression, env) for expression in terminator_expressions(block)]
    for expression, env in read:
        yield from ((node, env) for node in ir.walk(expression))


def shared_order(function: Function, node: ir.Subscript, env: Environment) -> ir.Expression | None:
    """What a subscript takes the share of a rank from."""
    match node:
        case ir.Subscript(value=order, index=ir.Slice(lower=lower, upper=upper)):
            bounds = [bound for bound in (lower, upper) if bound is not None]
            return order if any(_is_rank(function, bound, env) for bound in bounds) else None
        case ir.Subscript(value=ir.Call(args=(first, *_)) as call, index=index) if _is_rank(function, index, env):
            bound = function.bound(call)
            return first.value if bound is not None and bound.dotted in SPLITS else None
    return None


def _is_rank(function: Function, expression: ir.Expression, env: Environment) -> bool:
    return function.value(expression, env).content.level is Level.RANK


def _drawn(function: Function, order: ir.Expression, env: Environment) -> Uniformity | None:
    """Why an order differs, if each process draws it without a common seed."""
    content = function.value(order, env).content
    if content.level is not Level.LOCAL or content.source is not Source.RANDOM or content.groups:
        return None  # a seed that is computed from the rank is meant to differ
    drawn = (link.module.text[slice(*link.span)] for link in links_of(content.reason)[:1])
    return content if any(f"{name}(" in text for text in drawn for name in DRAWS_ORDER) else None
