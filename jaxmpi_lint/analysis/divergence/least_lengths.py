"""Loops over local data that is cut to the length of the shortest on all processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.limits import SHARE_DEFINITIONS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_KEEPING = frozenset({"list", "tuple", "enumerate", "iter"})


def cut_to_least(function: Function, loop: ir.Branch) -> ir.Expression | None:
    """What cuts the iterable of a loop to the least number of all processes, ``mine[:least]``; None if nothing does."""
    expression = loop.test.iterable if isinstance(loop.test, ir.Element) else None
    for _ in range(SHARE_DEFINITIONS):
        if expression is None or any(_is_least(function, one) for one in _numbers(expression)):
            return expression
        is_kept = isinstance(expression, ir.Call) and ir.dotted(expression.func) in _KEEPING and expression.args
        expression = expression.args[0].value if isinstance(expression, ir.Call) and is_kept else None
    return None


def _numbers(expression: ir.Expression) -> Iterator[ir.Expression]:
    """The numbers of items to which an expression cuts its operand."""
    match expression:
        case ir.Subscript(index=ir.Slice(lower=None, upper=ir.Expression() as count, step=None)):
            yield count
        case ir.Call(func=func, args=(_, count)) if (ir.dotted(func) or "").rpartition(".")[2] == "islice":
            yield count.value
        case ir.Call(func=ir.Name(id="zip"), args=args):
            for argument in args:
                match argument.value:
                    case ir.Call(func=ir.Name(id="range"), args=(count,)):
                        yield count.value


def _is_least(function: Function, count: ir.Expression) -> bool:
    """Whether a number is the least of those that all processes have."""
    values: list[tuple[Function, ir.Expression]] = [(function, count)]
    if isinstance(count, ir.Name):
        found = visible_definitions(function, count.id)
        values = [] if found is None else [(found[0], value) for value in found[1]]
    return bool(values) and all(_makes_least(scope, value) for scope, value in values)


def _makes_least(function: Function, value: ir.Expression) -> bool:
    match value:
        case ir.Call(func=ir.Name(id="int"), args=(inner,)):
            return _makes_least(function, inner.value)
        case ir.Call(func=ir.Name(id="min"), args=(gathered,)):
            return _method(function, gathered.value) == "allgather"
        case ir.Call() if _method(function, value) == "allreduce":
            bound = function.bound(value)
            operator = bound.argument("op") if bound is not None else None
            return (ir.dotted(operator) or "").rpartition(".")[2] == "MIN" if operator is not None else False
    return False


def _method(function: Function, expression: ir.Expression) -> str:
    """The name of the communication that a call is."""
    bound = function.bound(expression) if isinstance(expression, ir.Call) else None
    operation = bound.operation if bound is not None else None
    return operation.method if operation is not None else ""
