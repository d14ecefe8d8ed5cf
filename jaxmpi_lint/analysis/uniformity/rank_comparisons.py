"""Comparisons with a rank that hold on every rank: ``rank < size``, ``rank >= 0``, ``rank in range(size)``."""

from __future__ import annotations

from collections.abc import Callable

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Entity, Literal, RankOf, SizeOf, Value


def holds_on_all(node: ir.Comparison, values: list[Value], entity_of: Callable[[ir.Expression], Entity | None]) -> bool:
    """Whether a comparison of two operands is true on every rank."""
    if len(values) != 2:
        return False
    left, right = (value.entity for value in values)
    match node.operators[0], left, right:
        case "<", RankOf(a), SizeOf(b):
            return a == b
        case ">=", RankOf(), Literal(0, "int"):
            return True
        case "in", RankOf(a), _:
            return _end(node.operands[1], entity_of) == SizeOf(a)
    return False


def _end(container: ir.Expression, entity_of: Callable[[ir.Expression], Entity | None]) -> Entity | None:
    """The end of ``range(end)`` or ``range(0, end)``."""
    match container:
        case ir.Call(func=ir.Name(id="range"), args=(ir.Argument(value=end),)):
            return entity_of(end)
        case ir.Call(
            func=ir.Name(id="range"),
            args=(ir.Argument(value=ir.Constant(value=0)), ir.Argument(value=end)),
        ):
            return entity_of(end)
    return None
